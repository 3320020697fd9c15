import Synchronization

/// What went wrong for those who asked, told once each, so that the log has what and where.
///
/// Callers get no details: these are for the log.
final class FaultBook: Sendable {
    private let told = Mutex<Set<LedgerFailure>>([])
    private let notify: @Sendable (LedgerNotice) -> Void

    init(notify: @escaping @Sendable (LedgerNotice) -> Void = { _ in }) { self.notify = notify }

    /// Answers the same, and tells of what the views could not give to a command.
    func noting<Answer>(_ answer: Result<Answer, LedgerFailure>) -> Result<Answer, LedgerFailure> {
        answer.mapError { metInViews($0) }
    }

    /// Answers what `error` means, and tells of it where an operator must hear of it.
    func met(_ error: any Error) -> LedgerFailure {
        let failure = LedgerFailure(error)
        switch failure {
        case .storageFull, .notReady, .shuttingDown, .overloaded, .tooLarge, .gone: break
        case .damaged, .busy, .unusable, .clockBehind, .failed:
            let isNews = told.withLock { told in
                told.count < LedgerLimits.faultsToldMax && told.insert(failure).inserted
            }
            if isNews { notify(.met(failure)) }
        }
        return failure
    }

    /// The same for what the views gave: a page or a row that is not what was written.
    ///
    /// Others may be wrong and not show it: the process must end, and be started with data that is
    /// sound.
    func metInViews(_ error: any Error) -> LedgerFailure {
        let failure = met(error)
        if case .damaged = failure { notify(.viewsDamaged(failure)) }
        return failure
    }
}
