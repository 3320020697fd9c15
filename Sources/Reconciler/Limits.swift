/// The limits of this room.
package enum ReconcilerLimits {
    /// The greatest size of one answer; a page of 20 notifications has about 400 KiB.
    package static let answerBytesMax = 4 << 20
    /// How long one attempt may take.
    package static let attemptMilliseconds: Int64 = 20_000
    /// How many further questions one question may lead to: a store may have to be told of each of
    /// 50 products of an order, and is then asked for its state.
    package static let chainedQuestionsMax = 58
    /// How long a caller waits for one answer of the store, repeats included.
    package static let promptMilliseconds: Int64 = 10_000
    /// How long a caller waits while a user is reconciled, which may take many answers.
    package static let reconcileMilliseconds: Int64 = 60_000
    /// How often a request is sent while somebody waits.
    package static let promptAttemptsMax = 3
    /// How often a request is sent while nobody waits: less often than opens the circuit, since a
    /// store may fail at one purchase alone.
    package static let patientAttemptsMax = 4
    /// The greatest first pause before a repeat.
    package static let backoffFirstMilliseconds: Int64 = 500
    /// The greatest pause before a repeat.
    package static let backoffMilliseconds: Int64 = 60_000
    /// The longest pause that the store may ask for.
    package static let retryAfterMilliseconds: Int64 = 3_600_000
    /// The pause after a 429 that names none.
    package static let retryAfterUnnamedMilliseconds: Int64 = 60_000
    /// How many failures in a row open the circuit.
    package static let circuitFailures = 5
    /// How long the circuit stays open at first.
    package static let circuitFirstMilliseconds: Int64 = 5_000
    /// How long the circuit stays open at most.
    package static let circuitMilliseconds: Int64 = 300_000
    /// Connections to one host, on each event loop.
    package static let connectionsMax = 8
    /// Pages of one walk; 20 notifications each.
    package static let walkPagesMax = 1_000_000
    /// How often a walk begins again because the store no longer accepts its page token.
    package static let walkRestartsMax = 3
    /// Pages of one subscription's history; 20 transactions each.
    package static let historyPagesMax = 200
    /// Subscriptions of which the marks say that their history must still be read.
    package static let historiesOwedMax = 200
    /// Facts that are written together: more than most customers' whole histories have.
    package static let factsTogetherMax = 200
    /// Subscriptions that are read from the book at a time.
    package static let pageSubscriptions = 100
    /// Questions under way at once, in the sweep.
    package static let questionsMax = 8
    /// Subscriptions asked about at once for one caller.
    package static let reconciledSubscriptionsMax = 64
    /// How many renewals that are due soon or silent are remembered, so that none is asked about
    /// again too soon.
    package static let silentRememberedMax = 100_000
    /// How many of them may have been due long ago: at 25 questions a second, 40 seconds.
    package static let longSilentRememberedMax = 1_000
    /// Bytes of the file of marks.
    package static let marksBytesMax = 64 << 10
    /// The longest pause before an incomplete walk begins again.
    package static let walkAgainMilliseconds: Int64 = day
    /// How often a round checks whether the previous walk has ended.
    package static let turnMilliseconds: Int64 = 200
    /// The longest wait for a test notification.
    package static let testSecondsMax = 600
    /// A silence shorter than this is no alarm.
    package static let silenceMilliseconds: Int64 = 6 * 3_600_000
    /// A silence during which fewer renewals than this were due is no alarm.
    package static let silenceRenewals = 20
    /// How many times the usual interval counts as a silence.
    package static let silenceIntervals: Int64 = 3
    /// How many intervals between notifications are averaged.
    package static let silenceIntervalsKept = 64

    /// The longest time between two scans of all subscriptions for renewals that are due soon or
    /// silent.
    package static let scanMilliseconds: Int64 = 900_000
    /// A store's clock is ahead of this host's by no more than this; what is dated later was said
    /// while this host's own clock was ahead.
    static let clockLeadMilliseconds: Int64 = 300_000
    /// The pause after a scan is this many times as long as the scan took.
    package static let scanRest: Int64 = 100
    /// The shortest and the longest time between two looks at the renewals that were found.
    package static let askPaceMilliseconds: ClosedRange<Int64> = 1_000...15_000
    /// The longest time between two scans for missing acknowledgements; a store allows days for
    /// each.
    package static let acknowledgeMilliseconds: Int64 = 300_000
    /// How long after it was received a notification waits for a store that does not know what it
    /// is about.
    ///
    /// A store's servers hear of a purchase from each other, usually within seconds. After an hour
    /// the answer is no longer late but final, and each question counts against the store's quota.
    package static let unknownMilliseconds: Int64 = 3_600_000
    /// The longest pause before the next question about something that failed by itself.
    package static let retryMilliseconds: Int64 = 300_000
    /// The longest pause before the next question to a store that has not answered.
    package static let askAgainMilliseconds: Int64 = 60_000
    /// Each question before an end waits for half of the time that is left.
    ///
    /// The last one comes no later than this part (1/16) of `askBeforeEndSeconds` before the end.
    package static let askBeforeParts: Int64 = 16

    static let day: Int64 = 86_400_000
}
