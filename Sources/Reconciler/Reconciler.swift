// Reconciler asks the store, so that the book stays right when notifications are late, lost or
// never sent, and carries what callers ask of a store.
//
// In reading order:
//   Reconciler         below: what runs, and when; +Regular by the clock, +OnDemand for a caller
//   NotificationWalk   reads what the store has sent since the last mark
//   Sweep              asks about every active subscription; RenewalScan about those that end soon
//   AnnouncementScan   asks about what was announced while the store did not answer
//   Inquiry            asks about one purchase, and takes in the answer
//   ScopeClient        asks about one scope, with repeats; StoreConnection sends a request once
//   RequestGate        what each request passes: RateBudget, then Circuit
//   Intake             verified documents on their way to the book (ReconciledBook)
//   MarksFile          how far each walk came, and what must still be read, over a restart
//   SilenceAlarm       tells when a store has gone silent
//
// Its laws:
//   1. What was fetched is verified like a notification, and merges like one.
//   2. Requests for which nobody waits leave half of each budget to those for which somebody waits.
//   3. A mark moves only after everything before it is in the book. What an answer leaves open is
//      noted before the answer is kept.
//   4. A store that does not answer is left alone for a while.
//
// It never opens the database, decides about access, or repeats what must happen once.

import Entitlements
import JSON
import Synchronization

/// Keeps the book right when a store's notifications are late, lost or never sent: asks the store.
///
/// There is one for each store, with its own budgets, circuits, schedules and marks. The store's
/// room supplies the questions and the meaning of the replies (`StoreQuestions`). All facts that it
/// learns are merged like other facts, so older ones cannot overwrite newer ones. `run` does the
/// regular work; the other methods are called on request.
package final class Reconciler: Sendable {
    /// Work of which only one of each kind may run at a time.
    enum Job: Hashable, Sendable {
        case walk(StoreScope)
        case sweep
    }

    struct State: Sendable {
        var progress = ReconcilerProgress()
        var running: Set<Job> = []
        var alarm: SilenceAlarm
        var round: Task<Void, Never>?
        /// The upkeep under way: who needs it meanwhile waits for it.
        var upkeep: Task<Result<Void, StoreAPIFailure>, Never>?
        var isStopped = false
    }

    let settings: ReconcilerSettings
    let questions: any StoreQuestions
    let clients: [ScopeClient]
    let connection: StoreConnection
    let clock: ReconcilerClock
    let intake: Intake
    let inquiry: Inquiry
    let marks: MarksFile
    let report: @Sendable (ReconcilerNotice) -> Void
    let state: Mutex<State>

    /// Creates a reconciler that asks `questions` as `settings` say, and stores the answers in
    /// `book`.
    ///
    /// `report` is called from any thread.
    package init(
        _ settings: ReconcilerSettings,
        questions: any StoreQuestions,
        book: any ReconciledBook,
        clock: ReconcilerClock = .system,
        report: @escaping @Sendable (ReconcilerNotice) -> Void
    ) {
        let connection = StoreConnection(userAgent: "entitld/\(settings.version)")
        self.settings = settings
        self.clock = clock
        self.report = report
        self.connection = connection
        self.questions = questions
        clients = questions.scopes.map { scope in
            ScopeClient(
                scope,
                of: questions,
                over: connection,
                clock: clock,
                attemptMilliseconds: settings.attemptMilliseconds
            )
        }
        intake = Intake(book: book, clock: clock, report: report)
        marks = MarksFile(in: settings.directory, named: settings.marksName, report)
        inquiry = Inquiry(questions: questions, clients: clients, intake: intake, marks: marks)
        state = Mutex(State(alarm: SilenceAlarm(at: clock.wall())))
        recall()
    }

    /// The present progress.
    package var progress: ReconcilerProgress {
        var progress = state.withLock { $0.progress }
        for client in clients {
            progress.walks[client.scope, default: .init()].requests = client.figures
        }
        return progress
    }

    /// Notes that a genuine notification was delivered by the store.
    package func heardNotification() {
        let now = clock.wall()
        let wasSilent = state.withLock { state in
            state.alarm.hear(at: now)
            state.progress.renewalsMissed = 0
            defer { state.progress.storeIsSilent = false }
            return state.progress.storeIsSilent
        }
        if wasSilent { report(.storeHeard) }
    }

    /// Does the regular work until the task is cancelled.
    ///
    /// It first walks through the missed notifications; then it handles failed deliveries, silent
    /// subscriptions and sweeps, each on its own schedule.
    package func run() async {
        await withTaskGroup { group in
            for client in clients { group.addTask { await self.walk(with: client) } }
            for environment in Set(clients.map(\.scope.environment)) {
                group.addTask { await self.listen(in: environment) }
            }
            group.addTask { await self.sweepRegularly() }
            group.addTask { await self.acknowledge() }
            group.addTask { await self.askAnnounced() }
        }
    }

    /// Ends the work that callers started, and closes the connections.
    ///
    /// To be called after `run` has ended.
    package func stop() async {
        let round = state.withLock { state in
            state.isStopped = true
            return state.round
        }
        round?.cancel()
        await round?.value
        await connection.stop()
    }

    /// Restores the progress from the previous process's marks.
    private func recall() {
        let marks = marks.marks
        state.withLock { state in
            for client in clients {
                state.progress.walks[client.scope] = .init(
                    completedAt: marks.walks[client.scope],
                    failuresCompletedAt: marks.failureWalks[client.scope]
                )
            }
            if let sweep = marks.sweep {
                state.progress.sweep = SweepReport(startedAt: sweep.startedAt)
                // The time of its end is not stored; it was not long after the start.
                if sweep.isCompleted { state.progress.sweptAt = sweep.startedAt }
            }
        }
    }

    /// Does `work` unless work of its kind is under way already; returns nil then.
    func once<Result>(_ job: Job, _ work: () async -> Result) async -> Result? {
        guard state.withLock({ $0.running.insert(job).inserted }) else { return nil }
        let result = await work()
        state.withLock { _ = $0.running.remove(job) }
        return result
    }
}
