import Entitlements

/// The walk through the events that Stripe keeps, to find those that were never delivered.
///
/// Each page is a list of events, newest first. After a page, the objects of its events are asked
/// about, each once, and then the next page is read.
struct EventWalk: Sendable {
    let stripe: Stripe
    /// The time in which the events happened.
    let window: Range<Moment>
    /// Whether to read only events that some endpoint did not accept.
    let onlyFailures: Bool

    /// Asks for a page: the first one, or the one after an event.
    func page(behind last: StripeID?) -> StoreQuestion<StoreStatement> {
        var query = [(name: "limit", value: "100")]
        query.append((name: "created[gte]", value: Self.seconds(window.lowerBound)))
        query.append((name: "created[lt]", value: Self.seconds(window.upperBound)))
        if onlyFailures { query.append((name: "delivery_success", value: "false")) }
        query += StripeEvent.types.map { (name: "types[]", value: $0) }
        if let last { query.append((name: "starting_after", value: last.text)) }
        return stripe.api.asking(stripe.api.get("/v1/events", query)) {
            (list, _) throws(ShapeFault) in
            var topics: [StripeTopic] = []
            var unreadable: [String] = []
            var latest: StripeID?
            let events = try list.elements()
            for object in events {
                latest = try object.id()
                do throws(ShapeFault) {
                    let topic = try Self.topic(of: object)
                    if topic != .nothing, !topics.contains(topic) { topics.append(topic) }
                } catch {
                    unreadable.append("event: \(error.member) is not as documented")
                }
            }
            let behind = try list.flag("has_more") == true ? latest : nil
            let walk = Tail(walk: self, topics: topics[...], behind: behind)
            return .answer(
                StoreStatement(
                    documents: events.count,
                    unreadable: unreadable,
                    next: walk.next
                )
            )
        }
    }

    private static func topic(of object: StripeObject) throws(ShapeFault) -> StripeTopic {
        guard object["account"] == nil, let type = try object.text("type") else { return .nothing }
        guard let shown = try object.object("data")?.object("object") else {
            throw ShapeFault("data")
        }
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        return try StripeEvent(
            id: try object.id(),
            type: type,
            created: created,
            environment: try object.environment(),
            apiVersion: nil,
            object: shown
        )
        .topic()
    }

    private static func seconds(_ moment: Moment) -> String {
        String(moment.milliseconds / 1000)
    }

    /// The rest of a page: the objects of its events that must be asked about, then the next page.
    private struct Tail: Sendable {
        let walk: EventWalk
        let topics: ArraySlice<StripeTopic>
        let behind: StripeID?
        /// Whether something before it may not be asked about; the log says so once for each page.
        var isPartial = false

        var next: StoreQuestion<StoreStatement>? {
            guard let topic = topics.first else { return behind.map { walk.page(behind: $0) } }
            let rest = Tail(
                walk: walk,
                topics: topics.dropFirst(),
                behind: behind,
                isPartial: isPartial
            )
            guard let id = topic.id else { return rest.next }
            return walk.stripe.question(about: id, isNamed: false)
                .settled(evenForbidden: true) { answer in
                    switch answer {
                    case .success(let facts):
                        return .answer(StoreStatement(facts: facts, next: rest.next))
                    case .failure(let failure): return .answer(rest.statement(behind: failure))
                    }
                }
        }

        /// What is left to say behind an object about which nothing was learned.
        ///
        /// One that was deleted since needs no attention. One that the key may not read must not
        /// keep older events from being recovered; the walk begins again for it.
        private func statement(behind failure: StoreAPIFailure) -> StoreStatement {
            guard failure.kind == .forbidden else {
                let unreadable = failure.kind == .malformed ? [failure.description] : []
                return StoreStatement(unreadable: unreadable, next: next)
            }
            var rest = self
            rest.isPartial = true
            var statement = StoreStatement(next: rest.next)
            statement.isPartial = true
            if !isPartial { statement.warnings = [failure.description] }
            return statement
        }
    }
}

extension StripeTopic {
    /// The id of the object; nil if the topic has none.
    fileprivate var id: StripeID? {
        switch self {
        case .subscription(let id), .checkout(let id), .charge(let id), .payment(let id): id
        case .nothing: nil
        }
    }
}
