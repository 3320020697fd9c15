import Entitlements
import Journal

extension LedgerReader {
    /// Whom the entries after one position and up to another may have changed, and the catalogs
    /// that they installed.
    ///
    /// `.gone` where somebody was erased there, and whose status changed is not known any more, and
    /// where the base has taken the place of the first of them.
    package func changes(
        after first: UInt64,
        through last: UInt64
    ) throws(LedgerFailure) -> (users: Set<UserID>, catalogs: [(seq: UInt64, version: UInt32)]) {
        var users: Set<UserID> = []
        var catalogs: [(seq: UInt64, version: UInt32)] = []
        guard first < last else { return (users, catalogs) }
        guard first >= base.seq else { throw .gone(oldest: nil) }
        do {
            let journal = try journalReader()
            for seq in first + 1...last {
                let step = try ChangeStep(seq, in: journal)
                users.formUnion(try affected(by: step, journal))
                for case .catalogInstalled(let stamp) in step.content.events {
                    catalogs.append((seq, stamp.version))
                }
            }
        } catch {
            throw met(error)
        }
        return (users, catalogs)
    }

    /// Whose status one entry may have changed: those it names and those whose purchases it names,
    /// also those whose purchases they were until then.
    private func affected(by step: ChangeStep, _ journal: JournalReader) throws -> Set<UserID> {
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

    /// Everybody of whom the history of a purchase tells before an entry: whoever had it is there.
    private func formerUsers(
        of key: SubscriptionKey,
        before step: ChangeStep,
        _ journal: JournalReader
    ) throws -> Set<UserID> {
        var users: Set<UserID> = []
        let border = base.seq
        let subject = ChainLink.subject(of: key)
        var previous = step.links.previous(of: subject)
        while let seq = previous, seq > border {
            let earlier = try ChangeStep(seq, in: journal)
            users.formUnion(try named(in: earlier.content))
            previous = earlier.links.previous(of: subject)
        }
        let then = try base.look { try $0.snapshot.subscription(of: key) } ?? nil
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
    /// The purchases that it names.
    let keys: Set<SubscriptionKey>
    let links: EntryLinks

    init(_ seq: UInt64, in journal: JournalReader) throws {
        guard let entry = try journal.entry(seq: seq) else { throw HistoryGone() }
        content = try EntryBody.content(of: entry)
        // Nobody can be told any more whom it was about.
        for case .erased in content.events { throw HistoryGone() }
        keys = Set(content.events.flatMap(\.needs.keys))
        links = EntryLinks(entry)
    }
}
