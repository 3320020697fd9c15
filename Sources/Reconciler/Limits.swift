/// The bounds of this room.
package enum ReconcilerLimits {
    /// Bytes of one answer; a page of 20 notifications has about 400 KiB.
    package static let answerBytesMax = 4 << 20
    /// How long one attempt may take.
    package static let attemptMilliseconds: Int64 = 20_000
    /// Questions that one leads to.
    package static let chainedQuestionsMax = 8
    /// How long a caller waits for an answer, repeats included.
    package static let promptMilliseconds: Int64 = 10_000
    /// How long a caller waits while a user is reconciled.
    package static let reconcileMilliseconds: Int64 = 60_000
    /// How often a request is sent while somebody waits.
    package static let promptAttemptsMax = 3
    /// How often a request is sent while nobody waits.
    package static let patientAttemptsMax = 8
    /// The first pause before a repeat, at most.
    package static let backoffFirstMilliseconds: Int64 = 500
    /// Any pause before a repeat, at most.
    package static let backoffMilliseconds: Int64 = 60_000
    /// The longest pause that the store may ask for.
    package static let retryAfterMilliseconds: Int64 = 3_600_000
    /// The pause after a 429 that names none.
    package static let retryAfterUnnamedMilliseconds: Int64 = 60_000
    /// So many failures in a row open the circuit.
    package static let circuitFailures = 5
    /// How long the circuit stays open at first.
    package static let circuitFirstMilliseconds: Int64 = 5_000
    /// How long the circuit stays open at most.
    package static let circuitMilliseconds: Int64 = 300_000
    /// Connections to one host.
    package static let connectionsMax = 8
    /// Pages of one walk; 20 notifications each.
    package static let walkPagesMax = 1_000_000
    /// How often a walk begins again because its place in the pages was forgotten.
    package static let walkRestartsMax = 3
    /// Pages of one subscription's history; 20 transactions each.
    package static let historyPagesMax = 200
    /// Subscriptions looked at in one go.
    package static let pageSubscriptions = 100
    /// Questions under way at once, in the sweep.
    package static let questionsMax = 8
    /// Subscriptions asked about at once for one caller.
    package static let reconciledSubscriptionsMax = 64
    /// Renewals remembered that are due soon or silent, so that none is asked about again too soon.
    package static let silentRememberedMax = 100_000
    /// Bytes of the file of marks.
    package static let marksBytesMax = 64 << 10
    /// How long a walk that was not completed waits at most, before it begins again.
    package static let walkAgainMilliseconds: Int64 = day
    /// How often a round looks whether the walk before it has ended.
    package static let turnMilliseconds: Int64 = 200
    /// How long a test notification is waited for at most.
    package static let testSecondsMax = 600
    /// A silence shorter than this is no alarm.
    package static let silenceMilliseconds: Int64 = 6 * 3_600_000
    /// A silence during which fewer renewals were due is no alarm.
    package static let silenceRenewals = 20
    /// So many times the usual interval is a silence.
    package static let silenceIntervals: Int64 = 3
    /// Intervals between notifications that are looked at.
    package static let silenceIntervalsKept = 64

    /// How often every subscription is looked at for a renewal that is due soon or silent, at
    /// least.
    package static let scanMilliseconds: Int64 = 900_000
    /// So many times as long as a look at all of them took is the rest behind it.
    package static let scanRest: Int64 = 100
    /// How often renewals that were found are asked about, at least and at most.
    package static let askPaceMilliseconds: ClosedRange<Int64> = 1_000...15_000
    /// How long purchases wait at most until the next look for what their store waits to hear; each
    /// has days.
    package static let acknowledgeMilliseconds: Int64 = 300_000
    /// How long it is until the next question to a store that has not answered, at most.
    package static let askAgainMilliseconds: Int64 = 60_000
    /// The last question before an end comes no later than this part of `askBeforeEndSeconds`
    /// before it; each waits for half of what is left.
    package static let askBeforeParts: Int64 = 16

    static let day: Int64 = 86_400_000
}
