/// A question to a store's server: what to send, and what the reply means.
///
/// It is a value. Whoever asks sends the request, hands over the reply and the time at which the
/// request was sent, and goes on as the reading says; a store that wants to be asked twice answers
/// the first time with the second question.
package struct StoreQuestion<Answer: Sendable>: Sendable {
    /// What a reply to the request that was sent at a moment comes to; a reply that cannot be used
    /// is thrown as a failure.
    package typealias Read =
        @Sendable (StoreReply, Moment) throws(StoreAPIFailure) -> StoreReading<Answer>

    /// What to send.
    package let request: StoreRequest
    /// Statuses beside 200 to 299 that are read as well; any other is a failure
    /// (`StoreQuestions.failure`).
    package let statuses: Set<Int>
    /// What a reply with such a status comes to.
    package let read: Read

    /// A question; `statuses` are read beside 200 to 299.
    package init(_ request: StoreRequest, reading statuses: Set<Int> = [], _ read: @escaping Read) {
        self.request = request
        self.statuses = statuses
        self.read = read
    }

    /// Whether a reply with this status is read.
    package func reads(_ status: Int) -> Bool {
        (200...299).contains(status) || statuses.contains(status)
    }
}

/// What a reply comes to.
package enum StoreReading<Answer: Sendable>: Sendable {
    /// That is it.
    case answer(Answer)
    /// This has to be asked first.
    case ask(StoreQuestion<Answer>)
}

/// What a store's server states: facts that it vouches for, and what could not be used.
package struct StoreStatement: Sendable {
    /// A document that goes no further.
    package struct Refusal: Hashable, Sendable {
        /// Why.
        package let fault: DocumentFault
        /// In words, for the log.
        package let detail: String

        /// A refusal.
        package init(_ fault: DocumentFault, _ detail: String) {
            self.fault = fault
            self.detail = detail
        }
    }

    /// What was stated of purchases.
    package var facts: [Fact]
    /// Notifications that the store had kept, verified.
    package var notifications: [Notification]
    /// How many documents were looked at.
    package var documents: Int
    /// Those that do not verify.
    package var refusals: [Refusal]
    /// Those that are genuine, and of a shape that is not known: in words, for the log.
    package var unreadable: [String]
    /// What somebody should look at, in words for the log.
    package var warnings: [String] = []
    /// Whether something in it may not be asked about yet, so that a walk has to come again.
    package var isPartial = false
    /// What to ask for the rest; nil where this is all.
    package var next: StoreQuestion<StoreStatement>?

    /// A statement.
    package init(
        facts: [Fact] = [],
        notifications: [Notification] = [],
        documents: Int = 0,
        refusals: [Refusal] = [],
        unreadable: [String] = [],
        next: StoreQuestion<StoreStatement>? = nil
    ) {
        self.facts = facts
        self.notifications = notifications
        self.documents = documents
        self.refusals = refusals
        self.unreadable = unreadable
        self.next = next
    }
}
