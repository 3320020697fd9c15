import Entitlements
import Journal

/// Commands that were decided together and are not yet on disk.
struct Group {
    var state: AppliedState
    var desk: Desk
    var entries: [JournalEntry] = []
    var answers: [Result<Receipt, LedgerFailure>] = []
    /// The size of the entries.
    private(set) var bytes = 0
    /// What changed, for the follower of the feed; empty if there is none.
    private(set) var feed: [FeedItem] = []
    private let isFollowed: Bool
    /// The policy, extended by the product numbers that earlier commands of the group assigned;
    /// later commands need them.
    private(set) var policy: Policy
    private let stamp: Stamp
    private let pace: MilestonePace

    init(
        state: AppliedState,
        policy: Policy,
        stamp: Stamp,
        isFollowed: Bool,
        pace: MilestonePace = MilestonePace(),
        commands: Int
    ) {
        self.pace = pace
        self.isFollowed = isFollowed
        self.state = state
        self.policy = policy
        self.stamp = stamp
        desk = state.desk
        desk.isFollowed = isFollowed
        desk.milestoneEntries = pace.entries
        desk.expect(commands)
        entries.reserveCapacity(commands)
        answers.reserveCapacity(commands)
    }

    /// Decides one command on the desk that the earlier commands of the group left.
    ///
    /// A row that cannot be read fails this command alone.
    mutating func decide(_ kind: Command.Kind, by author: Author? = nil, from source: Snapshot) {
        let command = Command(
            seq: state.seq + 1,
            at: stamp.at,
            now: stamp.now,
            kind: kind.folded(under: policy),
            by: author
        )
        do {
            let ruling = try desk.ruling(of: command, under: policy, from: source)
            guard ruling.events.count <= EntryBody.eventsMax else { throw LedgerFailure.tooLarge }
            if !ruling.events.isEmpty { absorb(ruling.events, of: command, from: source) }
            let receipt = Receipt(seq: state.seq, at: stamp.at, outcome: ruling.outcome)
            answers.append(.success(receipt))
        } catch {
            answers.append(.failure(LedgerFailure(error)))
        }
    }

    /// Completes the state after the group, which is the journal's group `number`.
    mutating func close(as number: UInt64) {
        state.group = number
        state.take(desk)
    }

    private mutating func absorb(
        _ events: [Event],
        of command: Command,
        from source: Snapshot
    ) {
        desk.forgetTouched()
        for event in events { desk.absorb(event, at: command.now, seq: command.seq) }
        var milestones: [Milestone] = []
        if !desk.ripeAccounts.isEmpty || !desk.ripeSubscriptions.isEmpty {
            milestones = desk.milestonesDue(pace, from: source)
            desk.mark(milestones, at: command.seq)
        }
        let body = EntryBody(command, events, keeping: milestones)
        bytes += body.bytes.count
        entries.append(
            JournalEntry(
                seq: command.seq,
                moment: command.at.milliseconds,
                kind: body.kind.rawValue,
                version: body.version,
                links: desk.links.flatMap { [$0.subject, $0.previous] },
                body: body.bytes
            )
        )
        state.seq = command.seq
        state.at = command.at
        state.now = command.now
        if desk.numbering.names.count > policy.planOfNumber.count {
            policy = Policy(policy.source, numbering: desk.numbering)
        }
        if isFollowed { feed.append(FeedItem(command, desk, under: policy, from: source)) }
    }
}
