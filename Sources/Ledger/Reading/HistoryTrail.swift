import Entitlements
import Journal

/// The chain of one user in the journal: finds its places and reads pieces of it.
///
/// It costs what is read: a place is found from milestone to milestone, and a piece is what lies
/// between two of them.
final class HistoryTrail {
    /// The end of a chain, or of a part of it that ends at a milestone.
    private struct Reach {
        let last: UInt64
        /// As it was before `last` was marked in it, if it ever was.
        let chain: Chain
    }

    /// What lies between two milestones, or behind the newest one.
    struct Window {
        /// The milestone before it; what stands up to here is not in it.
        let start: UInt64
        /// Oldest first.
        let steps: [HistoryStep]
        /// The purchases of the account at its end.
        let purchases: [SubscriptionKey]
    }

    let user: UserID
    /// What the base has; nil where nothing was pruned.
    let edge: HistoryBorder?
    /// As the views have it.
    private let account: Account?
    /// Where its history ends, if it went into another or was erased.
    private var gone: Reach?
    private let reader: LedgerReader
    private let journal: RememberedJournal
    /// What was read last, for whoever asks again.
    private var kept: [UInt64: HistoryStep] = [:]
    /// Whose other tokens were, as far as somebody asked.
    private var tenuresKnown: [Token: [TokenTenure]] = [:]

    init(of user: UserID, _ reader: LedgerReader) throws {
        self.user = user
        self.reader = reader
        edge = reader.base.border
        let account = try reader.account(of: user)
        self.account = account
        let merger = account == nil ? try reader.merger(of: user) : nil
        gone = merger.flatMap { merger in
            merger.chain.map { Reach(last: merger.seq, chain: $0) }
        }
        journal = reader.rememberedJournal()
    }

    /// That of an account which ended with the entry `last`: it went into another, or was erased.
    private init(of user: UserID, until last: UInt64, _ reader: LedgerReader) throws {
        self.user = user
        self.reader = reader
        edge = reader.base.border
        account = nil
        journal = reader.rememberedJournal()
        gone = try reach(through: last)
    }

    /// What stands up to here the base has.
    var border: UInt64 { edge?.seq ?? 0 }

    private var head: Reach? {
        account.map { Reach(last: $0.lastSeq, chain: $0.chain) } ?? gone
    }

    /// The step at `seq`.
    func step(at seq: UInt64) throws -> HistoryStep {
        if let step = kept[seq] { return step }
        guard let entry = try journal.entry(seq) else { throw HistoryGone() }
        let content = try EntryBody.content(of: entry)
        let step = HistoryStep(content, of: user, at: seq, links: EntryLinks(entry))
        if kept.count == LedgerLimits.historyEntriesKeptMax { kept = [:] }
        kept[seq] = step
        return step
    }

    /// The part of the chain that ends at the milestone `seq`.
    private func reach(at seq: UInt64) throws -> Reach {
        guard let (account, _) = try step(at: seq).account(of: user) else {
            throw LedgerFailure.damaged("the journal's entry \(seq) keeps no such account")
        }
        return Reach(last: seq, chain: account.chain)
    }

    /// The whole chain, whose last entry is that at `last`, which keeps no account.
    private func reach(through last: UInt64) throws -> Reach {
        let subject = ChainLink.subject(of: user)
        var seq = last
        while seq > border {
            let step = try step(at: seq)
            if let account = step.account(of: user)?.account {
                var chain = account.chain
                chain.mark(at: seq)
                return Reach(last: last, chain: chain)
            }
            seq = try previous(of: subject, before: step)
        }
        return Reach(last: last, chain: Chain())
    }

    /// The piece in which the first step behind `place` is; nil where there is none.
    private func piece(after place: UInt64) throws -> (start: UInt64, last: UInt64)? {
        guard var reach = head else { return nil }
        let place = max(place, border)
        guard reach.last > place else { return nil }
        while let newest = reach.chain.marks.first, newest.seq > place {
            reach = try self.reach(at: reach.chain.marks.last { $0.seq > place }?.seq ?? newest.seq)
        }
        return (max(reach.chain.marks.first?.seq ?? 0, border), reach.last)
    }

    /// The milestone at or before which everything up to `place` lies, or the border: where to
    /// begin, to know what was true at `place`.
    func start(for place: UInt64) throws -> UInt64 {
        if place <= border { return border }
        if let piece = try piece(after: place) { return piece.start }
        return max(border, head?.chain.marks.first?.seq ?? 0)
    }

    /// The window in which the first step behind `place` is; nil where there is none.
    func window(after place: UInt64) throws -> Window? {
        guard let (start, last) = try piece(after: place) else { return nil }
        let subject = ChainLink.subject(of: user)
        var steps: [HistoryStep] = []
        var seq = last
        while seq > start {
            let step = try step(at: seq)
            steps.append(step)
            seq = try previous(of: subject, before: step)
        }
        let purchases =
            last == account?.lastSeq
            ? account?.subscriptions : steps.first?.account(of: user)?.account.subscriptions
        return Window(start: start, steps: steps.reversed(), purchases: purchases ?? [])
    }

    private func previous(of subject: UInt64, before step: HistoryStep) throws -> UInt64 {
        guard let seq = step.links.previous(of: subject) else {
            throw LedgerFailure.damaged("the journal's entry \(step.seq) has no such chain")
        }
        return seq
    }

    /// The last step that was judged at `moment` or before; nil where it was not kept, or is none.
    ///
    /// A clock that was set back has judged later steps at earlier moments.
    func lastStep(at moment: Moment) throws -> UInt64? {
        let subject = ChainLink.subject(of: user)
        var next = head
        while let reach = next {
            if reach.chain.low <= moment {
                var seq = reach.last
                let start = max(reach.chain.marks.first?.seq ?? 0, border)
                while seq > start {
                    let step = try step(at: seq)
                    if step.at <= moment { return seq }
                    seq = try previous(of: subject, before: step)
                }
            }
            let mark = reach.chain.marks.first { $0.low <= moment && $0.seq > border }
            next = try mark.map { try self.reach(at: $0.seq) }
        }
        return nil
    }

    /// The account at the milestone or border `seq`, and a subscription listed in it.
    func account(at seq: UInt64) throws -> (account: Account, places: [UInt64])? {
        if seq == 0 { return nil }
        if seq > border {
            guard let found = try step(at: seq).account(of: user) else {
                throw LedgerFailure.damaged("the journal's entry \(seq) keeps no such account")
            }
            return found
        }
        return try lookAtBase { rows in
            try rows.account(of: user).map { ($0, $0.subscriptions.map { _ in border }) }
        }
    }

    /// Lends the base's rows, which are those of the border that was found first.
    func lookAtBase<Found: Sendable>(_ body: (Snapshot) throws -> Found) throws -> Found {
        let found = try reader.base.lookAtStored { rows, border in
            guard border.seq == self.border else { throw HistoryGone() }
            return try body(rows)
        }
        guard let found else { throw HistoryGone() }
        return found
    }

    /// A subscription as its entry at `place` has left it, where `desk` knows which accounts went
    /// into the user's.
    ///
    /// It is made of what its own chain tells, from the last entry that kept it on.
    func subscription(
        of key: SubscriptionKey,
        at place: UInt64,
        knowing desk: Desk
    ) throws -> Subscription? {
        // Most purchases are as they were.
        if let now = try reader.subscription(of: key), now.lastSeq == place { return now }
        let subject = ChainLink.subject(of: key)
        var steps: [HistoryStep] = []
        var found: Subscription?
        var loaded: (row: LoadedRow, step: HistoryStep)?
        var seq = place
        while seq > border {
            let step = try step(at: seq)
            if let kept = step.subscription(of: key) {
                found = kept
                break
            }
            seq = try previous(of: subject, before: step)
            if seq == 0, let row = try loadedRow(of: key, by: step) {
                loaded = (row, step)
            } else {
                steps.append(step)
            }
        }
        if found == nil, seq > 0, seq <= border {
            found = try lookAtBase { try $0.subscription(of: key) }
        }
        guard !steps.isEmpty || loaded != nil else { return found }
        var scratch = Desk(numbering: desk.numbering)
        scratch.merges = desk.merges
        scratch.subscriptions.lay(found, at: key)
        if let (row, step) = loaded {
            let event = Event.loaded(row)
            try scratch.absorb(event, at: step.at, seq: step.seq, from: EmptySource())
            scratch.forgetTouched()
        }
        for step in steps.reversed() {
            let tokens = scratch.subscriptions[key]?.tokensKnown ?? []
            for token in tokens.union(step.tokens) {
                guard let holder = try holder(of: token, before: step.seq) else { continue }
                try scratch.know(token, of: holder)
            }
            try scratch.absorb(step, about: key)
        }
        // An entry that only said whose a token is has no fact to tell.
        return scratch.subscriptions[key]?.told(at: place)
    }

    /// The row by which a purchase was loaded at `step` as another's, or as nobody's: the step has
    /// only what is about the user.
    private func loadedRow(
        of key: SubscriptionKey,
        by step: HistoryStep
    ) throws -> LoadedRow? {
        guard !step.keys.contains(key), let entry = try journal.entry(step.seq) else { return nil }
        for case .loaded(let row) in try EntryBody.content(of: entry).events {
            if case .subscription(let one) = row, one.key == key { return row }
        }
        return nil
    }

    /// Lays whose the tokens of `step` and of `subscription`, which it tells of, were before it;
    /// those of the user are told in their own steps.
    func learn(
        before step: HistoryStep,
        about subscription: Subscription? = nil,
        on desk: inout Desk
    ) throws {
        for token in subscription?.tokensKnown ?? step.tokens {
            if desk.tokens.isLaid(token), desk.tokens[token] != nil { continue }
            guard let holder = try holder(of: token, before: step.seq), holder != user else {
                continue
            }
            try desk.know(token, of: holder)
        }
    }

    /// Whose a token was before the entry at `place`; nil where it was nobody's.
    private func holder(of token: Token, before place: UInt64) throws -> UserID? {
        try tenures(of: token).first { $0.holds(before: place) }?.holder
    }

    /// Whose a token was or is: of whoever has it, or went with it when they were erased, and of
    /// the accounts that it came from.
    ///
    /// Looked for once: the facts of a purchase carry the same token again and again.
    private func tenures(of token: Token) throws -> [TokenTenure] {
        if let known = tenuresKnown[token] { return known }
        var found: [TokenTenure] = []
        if let holder = try reader.user(of: token) {
            let trail = holder == user ? self : try HistoryTrail(of: holder, reader)
            found += try trail.ownTenures(of: token, until: .max)
        }
        // Views have nothing of an erased person, but that the entry is there.
        if let seq = try reader.erasure(of: token), seq > border {
            for case .erased(let erasure) in try step(at: seq).events
            where erasure.traces.tokens.contains(token) {
                let trail = try HistoryTrail(of: erasure.user, until: seq, reader)
                found += try trail.ownTenures(of: token, until: seq)
            }
        }
        if tenuresKnown.count == LedgerLimits.historyEntriesKeptMax { tenuresKnown = [:] }
        tenuresKnown[token] = found
        return found
    }

    /// That a token was the user's until the entry `end`, and before that, where an account brought
    /// it along, that account's.
    private func ownTenures(of token: Token, until end: UInt64) throws -> [TokenTenure] {
        guard let since = try beginning(of: token) else { return [] }
        var found = [TokenTenure(holder: user, since: since, until: end)]
        guard since > border else { return found }
        for case .accountsMerged(let merge) in try step(at: since).events
        where merge.into == user && merge.tokens.contains(token) {
            let trail = try HistoryTrail(of: merge.from, until: since, reader)
            found += try trail.ownTenures(of: token, until: since)
        }
        return found
    }

    /// Since which entry a token is the user's; nil where it never was.
    ///
    /// Nobody loses a token, so of two milestones the later one has it if the earlier one does: a
    /// few of them lead to the piece in which it was claimed.
    private func beginning(of token: Token) throws -> UInt64? {
        guard var reach = head else { return nil }
        search: while true {
            var earliest: UInt64?
            for mark in reach.chain.marks where mark.seq > border {
                guard try account(at: mark.seq)?.account.tokens.contains(token) ?? false else {
                    break
                }
                earliest = mark.seq
            }
            guard let earliest else { break search }
            reach = try self.reach(at: earliest)
        }
        if border > 0, try account(at: border)?.account.tokens.contains(token) ?? false { return 0 }
        let subject = ChainLink.subject(of: user)
        let start = max(reach.chain.marks.first?.seq ?? 0, border)
        var (seq, since) = (reach.last, UInt64?.none)
        while seq > start {
            let step = try step(at: seq)
            // To the first: that it is theirs may be told again where a purchase changes hands.
            if step.events.contains(where: { $0.gives(token, to: user) }) { since = seq }
            seq = try previous(of: subject, before: step)
        }
        return since
    }

    /// The first entry about a subscription that is there today, and the last one at or before
    /// `place`, 0 where there is none.
    func ends(
        of key: SubscriptionKey,
        at place: UInt64
    ) throws -> (first: UInt64, last: UInt64)? {
        let subject = ChainLink.subject(of: key)
        guard var seq = try reader.subscription(of: key)?.lastSeq else { return nil }
        var (first, last) = (seq, UInt64(0))
        while seq > 0 {
            first = seq
            if last == 0, seq <= max(place, border) { last = seq }
            // The base has what is before.
            if seq <= border { break }
            seq = try previous(of: subject, before: step(at: seq))
        }
        return (first, last)
    }

    /// What `error` means; the log hears of damage.
    func met(_ error: any Error) -> LedgerFailure { reader.met(error) }

    /// The entries about a purchase before the step that made it the user's, as far back as they
    /// are not of the user's own history; newest first.
    func earlierSteps(of key: SubscriptionKey, before step: HistoryStep) throws -> [HistoryStep] {
        let (subject, own) = (ChainLink.subject(of: key), ChainLink.subject(of: user))
        var steps: [HistoryStep] = []
        var seq = step.links.previous(of: subject) ?? 0
        while seq > border {
            let earlier = try self.step(at: seq)
            if earlier.links.previous(of: own) != nil { break }
            steps.append(earlier)
            seq = try previous(of: subject, before: earlier)
        }
        return steps
    }
}

extension Desk {
    /// Lays that a token is somebody's of whom nothing else is told here.
    fileprivate mutating func know(_ token: Token, of holder: UserID) throws {
        var needs = Needs()
        needs.users = [holder]
        try lay(needs, from: EmptySource())
        tokens[token] = holder
    }

    /// Lays which accounts had gone into one that goes into another with `event`: a purchase that
    /// is linked to one of them goes, too.
    mutating func knowFormers(of event: Event) {
        switch event {
        case .accountsMerged(let merge): know(merge.formers, as: merge.from)
        // The rows of its mergers may be in other entries.
        case .loaded(.account(let account, _)): know(account.formers, as: account.user)
        default: break
        }
    }

    private mutating func know(_ formers: [UserID], as user: UserID) {
        for former in formers where merger(of: former) == nil {
            merges[former] = MergedAccount(into: user)
        }
    }

    /// Takes in what a step tells of a purchase, and whose tokens are since then.
    fileprivate mutating func absorb(_ step: HistoryStep, about key: SubscriptionKey) throws {
        var needs = Needs()
        needs.keys = [key]
        for event in step.events {
            if case .tokenClaimed(let token, _) = event {
                let isCarried = subscriptions[key]?.tokensKnown.contains(token) ?? false
                if isCarried { unclaimed[Unclaimed(token: token, key: key)] = true }
                try lay(needs, from: EmptySource())
            } else if !event.needs.keys.contains(key) {
                continue
            }
            knowFormers(of: event)
            try absorb(event, at: step.at, seq: step.seq, from: EmptySource())
        }
        forgetTouched()
    }
}

extension HistoryStep {
    /// The tokens that its facts carry.
    fileprivate var tokens: Set<Token> {
        var found: Set<Token> = []
        for case .merged(let fact) in events {
            found.formUnion(fact.transactions.compactMap(\.token))
        }
        return found
    }
}

extension Event {
    /// Whether a token is a user's since this.
    fileprivate func gives(_ token: Token, to user: UserID) -> Bool {
        if case .tokenClaimed(token, user) = self { return true }
        if case .accountsMerged(let merge) = self {
            return merge.into == user && merge.tokens.contains(token)
        }
        guard case .loaded(.account(let account, _)) = self else { return false }
        return account.user == user && account.tokens.contains(token)
    }
}

/// In which entries a token was somebody's.
private struct TokenTenure {
    let holder: UserID
    /// The one that made it theirs; 0 where it was before the border.
    let since: UInt64
    /// The one with which the account went into another, or was erased; the greatest number where
    /// neither has happened.
    let until: UInt64

    /// Whether it was theirs when the entry at `place` was decided.
    func holds(before place: UInt64) -> Bool { since < place && place <= until }
}
