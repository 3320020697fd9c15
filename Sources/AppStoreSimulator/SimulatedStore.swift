// AppStoreSimulator is a local App Store: customers, notifications, and the server's API.
//
// In reading order:
//   StoreSettings    the app, its products, and how fast time runs; StoreTime scales it
//   Subscriber       a customer; Subscriber+… has what happens to one, StoreAction names it
//   Payloads         documents in Apple's shape, signed by a CertificateAuthority
//   Delivery         posts notifications and repeats them; Weather loses and delays them
//   StoreBooks       what an open store remembers, in a directory (SimulatorDirectory)
//   StoreAPI         Apple's App Store Server API, from the books; StoreServer serves it
//   SimulatedStore   below: many customers who live by themselves
//
// Its laws:
//   1. Documents and answers have the shape, the names and the codes that Apple documents.
//   2. The same seed gives the same lives and the same weather.
//   3. The API is served on loopback alone.
//
// It never is a part of the daemon: a test keeps entitld from importing it.

import CertificateAuthority

/// A store whose customers live through their months by themselves: for load, and for crashes.
package struct SimulatedStore: Sendable {
    /// The app, its products, and how fast time runs.
    package let settings: StoreSettings
    /// Who signs.
    package let authority: SigningAuthority
    /// Where notifications go.
    package let delivery: Delivery
    /// What happens to them on the way.
    package let weather: Weather
    /// Where all is written down, so that apps can ask; nil where nobody will.
    package let books: StoreBooks?

    /// A store that signs and delivers so.
    package init(
        _ settings: StoreSettings,
        signedBy authority: SigningAuthority,
        _ delivery: Delivery,
        _ weather: Weather = .fair,
        books: StoreBooks? = nil
    ) {
        self.settings = settings
        self.authority = authority
        self.delivery = delivery
        self.weather = weather
        self.books = books
    }

    /// What became of one notification.
    package struct Receipt: Codable, Hashable, Sendable {
        /// The customer.
        package let subscriber: String
        /// Type and subtype.
        package let kind: NoticeKind
        /// Its id.
        package let uuid: String
        /// When it was signed.
        package let signedDate: Int64
        /// The line it is about.
        package let originalTransactionID: String?
        /// The transaction in it.
        package let transactionID: String?
        /// Whether it was answered 2xx.
        package let isDelivered: Bool
        /// How often it was sent.
        package let attempts: Int
        /// The status of the answer that counts.
        package let status: Int?
        /// What that answer said, in one word.
        package let answer: String?

        init(_ record: Delivery.Record, _ subscriber: String) {
            let telling = record.telling
            self.subscriber = subscriber
            kind = record.notification.kind
            uuid = record.notification.uuid
            signedDate = record.notification.signedDate
            originalTransactionID = record.notification.originalID
            transactionID = record.notification.transactionID
            isDelivered = record.isDelivered
            attempts = record.attempts.count
            status = telling?.status
            answer = status == nil ? nil : telling.map { Delivery.Record.word(in: $0.body) }
        }
    }

    /// What became of a run.
    package struct Outcome: Sendable {
        /// The customers, as they stand at the end.
        package let subscribers: [Subscriber]
        /// Every notification.
        package let receipts: [Receipt]

        /// The ids of those that were answered 2xx: none of them may be lost.
        package var delivered: Set<String> {
            Set(receipts.filter(\.isDelivered).map(\.uuid))
        }
    }

    /// Lets these customers live for `months`, and waits until all is delivered or given up.
    ///
    /// Each of them has bought nothing yet, and buys so many periods at most. The same seed makes
    /// the same customers want the same; with `stories` rarer things happen to them, too.
    /// `onReceipt` hears of each notification once it is delivered or given up. Fails where a
    /// document cannot be signed or the books cannot be kept.
    package func run(
        _ subscribers: [Subscriber],
        months: Int,
        seed: UInt64,
        stories: Bool = false,
        perSecondMax: Double? = nil,
        onReceipt: @escaping @Sendable (Receipt) -> Void = { _ in }
    ) async throws -> Outcome {
        precondition(subscribers.count <= SimulatorLimits.subscribersMax, "too many subscribers")
        for subscriber in subscribers { try books?.keep(subscriber) }
        let pace = Pace(perSecondMax)
        let lives = await withTaskGroup(of: Result<Life, any Error>.self) { group in
            for (number, subscriber) in subscribers.enumerated() {
                let plan = LifePlan(
                    seed: seed,
                    number: UInt64(number),
                    months: months,
                    stories: stories
                )
                group.addTask {
                    var life = Life(number: number, subscriber: subscriber, plan: plan)
                    do {
                        try await live(&life, pace, onReceipt)
                        return .success(life)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var ended: [Life] = []
        for life in lives { ended.append(try life.get()) }
        ended.sort { $0.number < $1.number }
        return Outcome(
            subscribers: ended.map(\.subscriber),
            receipts: ended.flatMap(\.receipts)
        )
    }

    /// One customer on the way through the months.
    private struct Life: Sendable {
        let number: Int
        var subscriber: Subscriber
        var plan: LifePlan
        var receipts: [Receipt] = []
    }

    /// What is sent in one go: one notification, and one that it has overtaken.
    private struct Parcel: Sendable {
        var contents: [(SignedNotification, Weather.Fate)]
    }

    private func live(
        _ life: inout Life,
        _ pace: Pace,
        _ onReceipt: @escaping @Sendable (Receipt) -> Void
    ) async throws {
        let (parcels, door) = AsyncStream.makeStream(of: Parcel.self)
        let name = life.subscriber.name
        async let receipts = send(parcels, from: name, pace, onReceipt)
        let result: Result<Void, any Error>
        do {
            try await act(&life, door)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        door.finish()
        life.receipts = try await receipts
        try result.get()
    }

    /// Does what the plan says, when it says so; the customer does not wait for deliveries.
    private func act(
        _ life: inout Life,
        _ door: AsyncStream<Parcel>.Continuation
    ) async throws {
        var till = Till(settings)
        var held: (SignedNotification, Weather.Fate)?
        var sequence: UInt64 = 0
        while let step = life.plan.next(for: life.subscriber, settings, now: till.now) {
            do { try await StoreTime.wait(until: step.moment) } catch { break }
            let notification: SimulatedNotification
            do {
                notification = try perform(step, &life.subscriber, &till)
            } catch is StoreRefusal {
                // Time went on meanwhile, and what was planned is not possible any more.
                continue
            }
            let fate = weather.fate(of: UInt64(life.number) << 20 | sequence)
            sequence += 1
            let item = (try notification.signed(by: authority), fate)
            try books?.note(item.0, about: life.subscriber.name)
            if fate.isOvertaken, held == nil {
                held = item
            } else {
                door.yield(Parcel(contents: [item] + (held.map { [$0] } ?? [])))
                held = nil
            }
        }
        if let held { door.yield(Parcel(contents: [held])) }
    }

    /// One step, in the books where there are some: others may have changed the customer there.
    private func perform(
        _ step: LifePlan.Step,
        _ subscriber: inout Subscriber,
        _ till: inout Till
    ) throws -> SimulatedNotification {
        guard let books else {
            till.advance()
            return try step.happen(to: &subscriber, &till)
        }
        let (notification, after) = try books.change(subscriber.name, &till) { kept, till in
            (try step.happen(to: &kept, &till), kept)
        }
        subscriber = after
        return notification
    }

    private func send(
        _ parcels: AsyncStream<Parcel>,
        from name: String,
        _ pace: Pace,
        _ onReceipt: @escaping @Sendable (Receipt) -> Void
    ) async throws -> [Receipt] {
        try await withThrowingTaskGroup(of: [Receipt].self) { group in
            for await parcel in parcels {
                group.addTask {
                    var receipts: [Receipt] = []
                    for (notification, fate) in parcel.contents {
                        await pace.turn()
                        let record = try await deliver(notification, under: fate)
                        let receipt = Receipt(record, name)
                        onReceipt(receipt)
                        receipts.append(receipt)
                    }
                    return receipts
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func deliver(
        _ notification: SignedNotification,
        under fate: Weather.Fate
    ) async throws -> Delivery.Record {
        guard let books else { return await delivery.deliver(notification, under: fate) }
        return try await delivery.deliver(notification, under: fate, noting: books)
    }
}

/// Lets so many through in a second.
private actor Pace {
    private let gap: Duration?
    private var next = ContinuousClock.now

    init(_ perSecondMax: Double?) {
        gap = perSecondMax.map { .seconds(1 / max($0, 0.001)) }
    }

    /// Returns when it is the caller's turn.
    func turn() async {
        guard let gap else { return }
        let mine = max(next, .now)
        next = mine + gap
        try? await Task.sleep(until: mine, clock: .continuous)
    }
}
