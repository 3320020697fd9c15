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
    /// Where its history ends, if it went into another.
    private let gone: Reach?
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
        let step = HistoryStep(
            user: user,
            seq: seq,
            at: content.now,
            cause: content.cause(for: user),
            author: content.author,
            order: content.order,
            // An entry that loaded rows tells of many people.
            events: content.events.filter { event in
                if case .loaded(let row) = event { row.bears(on: user) } else { true }
            },
            links: EntryLinks(entry),
            milestones: content.milestones
        )
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

    /// A subscription as its entry at `place` has left it, where `desk` knows the user's tokens.
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
        var seq = place
        while seq > border {
            let step = try step(at: seq)
            if let kept = step.subscription(of: key) {
                found = kept
                break
            }
            steps.append(step)
            seq = try previous(of: subject, before: step)
        }
        if found == nil, seq > 0, seq <= border {
            found = try lookAtBase { try $0.subscription(of: key) }
        }
        guard !steps.isEmpty else { return found }
        var scratch = Desk(numbering: desk.numbering)
        scratch.tokens = desk.tokens
        scratch.merges = desk.merges
        scratch.subscriptions.lay(found, at: key)
        if let found { try learn(from: found, at: max(seq, border), on: &scratch) }
        for step in steps.reversed() {
            for case .tokenClaimed(let token, let holder) in step.events {
                scratch.tokens[token] = holder
            }
            try learn(from: step, on: &scratch)
            for event in step.events where event.needs.keys.contains(key) {
                try scratch.absorb(event, at: step.at, seq: step.seq, from: EmptySource())
            }
            scratch.forgetTouched()
        }
        // An entry that only said whose a token is has no fact to tell.
        return scratch.subscriptions[key]?.told(at: place)
    }

    /// Lays whose the tokens of a step's facts were, where they were others'.
    func learn(from step: HistoryStep, on desk: inout Desk) throws {
        for case .merged(let fact) in step.events {
            guard let token = fact.transaction?.token else { continue }
            try learn(token, at: step.seq, on: &desk)
        }
    }

    /// Lays whose the tokens of a subscription were, as its entry at `place` has left it.
    func learn(from subscription: Subscription, at place: UInt64, on desk: inout Desk) throws {
        for token in subscription.tokensKnown { try learn(token, at: place, on: &desk) }
        guard let owner = subscription.owner, owner != user, owner != subscription.link else {
            return
        }
        // An erased owner has a pseudonym, and so has the token, which is nobody's today.
        let tokens =
            subscription.claims.reversed().map(\.token)
            + [subscription.decidingToken].compactMap { $0 }
        let holder = try reader.merger(of: owner)?.into ?? owner
        guard try tokens.allSatisfy({ try reader.user(of: $0) != holder }),
            let gone = try tokens.first(where: { try reader.user(of: $0) == nil })
        else { return }
        desk.know(gone, of: owner)
    }

    /// Lays whose a token was at `place`; those of the user are told in their own steps.
    private func learn(_ token: Token, at place: UInt64, on desk: inout Desk) throws {
        if desk.tokens.isLaid(token), desk.tokens[token] != nil { return }
        guard let tenure = try tenures(of: token).first(where: { $0.holds(at: place) }) else {
            return
        }
        desk.know(token, of: tenure.holder)
    }

    /// Others whose a token was or is: whoever has it, and the accounts that went into theirs.
    ///
    /// Looked for once: the facts of a purchase carry the same token again and again.
    private func tenures(of token: Token) throws -> [TokenTenure] {
        if let known = tenuresKnown[token] { return known }
        var found: [TokenTenure] = []
        if let holder = try reader.user(of: token) {
            let formers = try reader.account(of: holder)?.formers ?? []
            for holder in [holder] + formers where holder != user {
                let trail = try HistoryTrail(of: holder, reader)
                guard let since = try trail.beginning(of: token) else { continue }
                let until = trail.gone?.last ?? .max
                found.append(TokenTenure(holder: holder, since: since, until: until))
            }
        }
        if tenuresKnown.count == LedgerLimits.historyEntriesKeptMax { tenuresKnown = [:] }
        tenuresKnown[token] = found
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
    fileprivate mutating func know(_ token: Token, of holder: UserID) {
        accounts.lay(nil, at: holder)
        tokens[token] = holder
    }
}

extension Event {
    /// Whether a token is a user's since this.
    fileprivate func gives(_ token: Token, to user: UserID) -> Bool {
        switch self {
        case .tokenClaimed(token, user): true
        case .accountsMerged(let merge): merge.into == user && merge.tokens.contains(token)
        case .loaded(.account(let account, _)):
            account.user == user && account.tokens.contains(token)
        default: false
        }
    }
}

/// In which entries a token was somebody's.
private struct TokenTenure {
    let holder: UserID
    /// The one that made it theirs; 0 where it was before the border.
    let since: UInt64
    /// The one with which the account went into another; the greatest number where it did not.
    let until: UInt64

    func holds(at place: UInt64) -> Bool { since <= place && place < until }
}
