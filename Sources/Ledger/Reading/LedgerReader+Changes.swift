import Entitlements
import Journal

/// Whom a stretch of the journal may have changed.
package struct JournalChanges: Sendable {
    /// Whom, in no order.
    package fileprivate(set) var users: Set<UserID> = []
    /// The catalogs that were installed there, oldest first.
    package fileprivate(set) var catalogs: [(seq: UInt64, version: UInt32)] = []
    /// Where it was noted that time alone changed these users, each with the moment.
    package fileprivate(set) var ticks: [Tick.Passing: UInt64] = [:]
    /// Up to here it is not known: the base has taken the place of the entries, somebody was erased
    /// there, or it is more than was asked for.
    package fileprivate(set) var border: UInt64
    /// Up to where it was read.
    package fileprivate(set) var through: UInt64 = 0

    fileprivate mutating func begin(after seq: UInt64) { self = JournalChanges(border: seq) }
}

extension LedgerReader {
    /// Whom the entries after one position and up to another may have changed, and the catalogs
    /// that they installed.
    ///
    /// - Parameters:
    ///   - first: after which position.
    ///   - last: up to which; it was published.
    ///   - isAskedFor: whether a user is to be among them.
    ///   - usersMax: how many at most; with more, the newest entries alone are told of.
    ///   - usersEnough: after how many it reads no further than to the end of their group.
    ///   - passesErasures: whether of an erasure, which no longer says whom it was about, those are
    ///     told of who have a purchase again; else nothing before it is told of.
    ///   - goesOn: asked before each group whether anybody waits for it still.
    /// - Returns: nil where nobody does.
    /// - Throws: `.damaged` where an entry cannot be read.
    package func changes(
        after first: UInt64,
        through last: UInt64,
        of isAskedFor: (UserID) -> Bool = { _ in true },
        usersMax: Int = .max,
        usersEnough: Int = .max,
        passesErasures: Bool = false,
        while goesOn: () -> Bool = { true }
    ) throws(LedgerFailure) -> JournalChanges? {
        var changes = JournalChanges(border: max(first, base.seq))
        var through = last
        do {
            let journal = rememberedJournal()
            var isWanted = true
            while changes.border < last {
                do {
                    try journal.journal.read(after: changes.border, through: last) { _, entries in
                        isWanted = goesOn()
                        guard isWanted else { return false }
                        for entry in entries where entry.seq <= last {
                            try note(entry, isAskedFor, passesErasures, journal, in: &changes)
                            if changes.users.count > usersMax { changes.begin(after: entry.seq) }
                        }
                        // A view that is held long keeps old pages.
                        restView()
                        guard changes.users.count >= usersEnough else { return true }
                        through = min(last, entries.last?.seq ?? last)
                        return false
                    }
                    changes.through = through
                    return isWanted ? changes : nil
                } catch JournalFailure.pruned {
                    // Under our hands.
                    guard base.seq > changes.border else { throw HistoryGone() }
                    changes.begin(after: base.seq)
                }
            }
        } catch {
            throw met(error)
        }
        changes.through = through
        return changes
    }

    private func note(
        _ entry: JournalEntry,
        _ isAskedFor: (UserID) -> Bool,
        _ passesErasures: Bool,
        _ journal: RememberedJournal,
        in changes: inout JournalChanges
    ) throws {
        do {
            let step = try ChangeStep(entry)
            // Nobody can be told any more whom it was about.
            if step.erasure != nil, !passesErasures { throw HistoryGone() }
            for user in try affected(by: step, journal) where isAskedFor(user) {
                changes.users.insert(user)
            }
            for event in step.content.events {
                switch event {
                case .catalogInstalled(let stamp):
                    changes.catalogs.append((entry.seq, stamp.version))
                case .passed(let tick):
                    for passing in tick.passings where isAskedFor(passing.user) {
                        changes.ticks[passing] = entry.seq
                    }
                default: break
                }
            }
        } catch is HistoryGone {
            // Nobody can be told any more whom it changed.
            changes.begin(after: entry.seq)
        }
    }

    /// Whose status one entry may have changed: those it names and those whose purchases it names,
    /// also those whose purchases they were until then.
    private func affected(by step: ChangeStep, _ journal: RememberedJournal) throws -> Set<UserID> {
        if let erasure = step.erasure { return try bystanders(of: erasure, step, journal) }
        var users = try named(in: step.content)
        for key in step.keys {
            users.formUnion(try subscription(of: key)?.users ?? [])
        }
        // The entry is a link of everybody's history whom it changed.
        let explained = Set(
            users.map { ChainLink.subject(of: $0) } + step.keys.map { ChainLink.subject(of: $0) }
        )
        guard !step.links.subjects.isSubset(of: explained) else { return users }
        for key in step.keys { users.formUnion(try formerUsers(of: key, before: step, journal)) }
        return users
    }

    /// Whose status an erasure may have changed beside that of the person: who had a purchase of
    /// theirs before has it again.
    private func bystanders(
        of erasure: Erasure,
        _ step: ChangeStep,
        _ journal: RememberedJournal
    ) throws -> Set<UserID> {
        var users: Set<UserID> = []
        for key in erasure.traces.shared {
            users.formUnion(try subscription(of: key)?.users ?? [])
            users.formUnion(try formerUsers(of: key, before: step, journal))
        }
        return users.subtracting(erasure.traces.formers.map(\.user) + [erasure.user])
    }

    /// Everybody of whom the history of a purchase tells before an entry: whoever had it is there.
    ///
    /// But for those who were erased since: they have nothing any more that could change.
    private func formerUsers(
        of key: SubscriptionKey,
        before step: ChangeStep,
        _ journal: RememberedJournal
    ) throws -> Set<UserID> {
        var users: Set<UserID> = []
        let border = base.seq
        let subject = ChainLink.subject(of: key)
        var previous = step.links.previous(of: subject)
        while let seq = previous, seq > border {
            guard let entry = try journal.entry(seq) else { throw HistoryGone() }
            let earlier = try ChangeStep(entry)
            if earlier.erasure == nil { users.formUnion(try named(in: earlier.content)) }
            previous = earlier.links.previous(of: subject)
        }
        let then = try base.lookAtAll { try $0.subscription(of: key) } ?? nil
        return users.union(then?.users ?? [])
    }

    /// The users that an entry names, and those whose tokens it names.
    private func named(in content: EntryContent) throws -> Set<UserID> {
        var users: Set<UserID> = []
        if let user = content.user { users.insert(user) }
        for event in content.events {
            if case .passed(let tick) = event {
                users.formUnion(tick.passings.map(\.user))
                continue
            }
            let needs = event.needs
            users.formUnion(needs.users)
            for token in needs.tokens { if let user = try user(of: token) { users.insert(user) } }
        }
        return users
    }
}

/// An entry of the journal, as far as it says whom it changed.
private struct ChangeStep {
    let content: EntryContent
    /// The erasure of a person, where it is one: it no longer says whom it was about.
    let erasure: Erasure?
    /// The purchases that it names.
    let keys: Set<SubscriptionKey>
    let links: EntryLinks

    init(_ entry: JournalEntry) throws {
        content = try EntryBody.content(of: entry)
        erasure =
            content.events
            .compactMap { if case .erased(let erasure) = $0 { erasure } else { nil } }
            .first
        keys = Set(content.events.flatMap(\.needs.keys))
        links = EntryLinks(entry)
    }
}
