import Entitlements

// How rows are written; `Row` reads them.

extension Row.Value {
    /// The row that was loaded; places in `names` are numbers of this ledger.
    init(_ row: LoadedRow) {
        switch row {
        case .account(let account, _): self = .account(account)
        case .subscription(let subscription): self = .subscription(subscription)
        case .token(let token, let user): self = .token(token, user)
        case .unclaimed(let waiting): self = .unclaimed(waiting)
        case .notification(let id, let first): self = .notification(id, first)
        case .settlement(let key, let first): self = .settlement(key, first)
        case .reservation(let id, let kept): self = .reservation(id, kept)
        case .lease(let id, let user): self = .lease(id, user)
        case .pack(let key, let kept): self = .pack(key, kept)
        case .appTransaction(let mark, let shown): self = .appTransaction(mark, shown: shown)
        case .merger(let user, let merger): self = .merger(user, merger)
        }
    }

    /// Its key as it lies in the views.
    package var key: [UInt8] {
        switch self {
        case .account(let account): Keys.account(account.user)
        case .subscription(let subscription): Keys.subscription(subscription.key)
        case .token(let token, _): Keys.token(token)
        case .unclaimed(let waiting): Keys.unclaimed(waiting)
        case .notification(let id, _): Keys.notification(id)
        case .settlement(let key, _): Keys.settlement(key)
        case .reservation(let id, _), .lease(let id, _): Keys.reservation(id)
        case .pack(let key, _): Keys.pack(key)
        case .appTransaction(let mark, _): Keys.appTransaction(mark)
        case .merger(let user, _): Keys.account(user)
        case .alarm(let passing): Keys.alarm(passing)
        case .tick(let first, _): Keys.tick(first)
        case .tombstone(let mark, _): Keys.tombstone(mark)
        case .applied: Keys.meta("applied")
        case .numbering: Keys.meta("numbering")
        case .catalog: Keys.meta("catalog")
        case .installed(let catalog): Keys.catalog(catalog.stamp.version)
        case .idFloor: Keys.meta("ids")
        case .secret: Keys.meta("secret")
        }
    }

    /// Its value as it lies in the views, unsealed.
    var bytes: [UInt8] { ByteWriter.bytes { write(to: &$0) } }

    /// Writes its value as it lies in the views.
    func write(to writer: inout ByteWriter) {
        switch self {
        case .account(let account): AccountRecord.write(account, to: &writer)
        case .subscription(let subscription): SubscriptionRecord.write(subscription, to: &writer)
        case .token(_, let user): writer.raw(user.bytes)
        case .unclaimed, .alarm: break
        case .notification(_, let first): writer.sighting(first)
        case .tick(_, let seq): writer.integer(seq)
        case .settlement(_, let first): writer.firstAnswer(first)
        case .reservation(_, let kept): writer.reservation(kept)
        case .lease(_, let user): writer.user(user)
        case .pack(_, let kept): writer.packRecord(kept)
        case .appTransaction(_, let shown): writer.moment(shown)
        case .merger(_, let merger): writer.mergedAccount(merger)
        case .tombstone(_, let stone): writer.tombstone(stone)
        case .applied(let seq, let group, let at, let now):
            writer.integer(Views.format)
            writer.integer(seq)
            writer.integer(group)
            writer.moment(at)
            if now != at { writer.moment(now) }
        case .numbering(let names): writer.longList(names) { $0.text($1) }
        case .catalog(let stamp): writer.catalogStamp(stamp)
        case .installed(let catalog):
            writer.integer(catalog.seq)
            writer.moment(catalog.from)
            writer.catalogStamp(catalog.stamp)
        case .idFloor(let id): writer.integer(id)
        case .secret(let secret): writer.hashKey(secret)
        }
    }
}
