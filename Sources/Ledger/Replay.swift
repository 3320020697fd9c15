import Entitlements
import Journal

// Entries of the journal, absorbed together: how the views, and the base, go on without deciding.

/// Entries that are stored together.
typealias ReplayEntries = [(entry: JournalEntry, group: UInt64)]

extension AppliedState {
    /// A desk that goes on from here, with nothing laid.
    var desk: Desk {
        Desk(numbering: numbering, catalog: catalog, idFloor: idFloor, secret: secret)
    }

    /// How far the views are once `entries` were absorbed, which happens on `desk`.
    func absorbing(
        _ entries: ReplayEntries,
        on desk: inout Desk,
        from source: some RecordSource
    ) throws -> AppliedState {
        var next = self
        for (entry, group) in entries {
            next.now = try desk.absorb(entry, from: source)
            next.seq = entry.seq
            next.group = group
            next.at = Moment(entry.moment)
        }
        next.take(desk)
        return next
    }

    /// What stands on the desk beside the records.
    mutating func take(_ desk: borrowing Desk) {
        numbering = desk.numbering
        catalog = desk.catalog
        idFloor = desk.idFloor
        secret = desk.secret
    }
}

extension Desk {
    /// Absorbs an entry of the journal as the writer did when it was decided; answers the moment
    /// that it was judged at.
    @discardableResult
    mutating func absorb(
        _ entry: JournalEntry,
        from source: some RecordSource
    ) throws -> Moment {
        let content = try EntryBody.content(of: entry)
        forgetTouched()
        for event in content.events {
            try absorb(event, at: content.now, seq: entry.seq, from: source)
        }
        return content.now
    }
}
