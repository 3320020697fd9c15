/// Where deliveries go: the mailbox of an RPC thread.
package protocol ReplyOutlet: AnyObject, Sendable {
    /// Hands `deliveries` to the thread and wakes it. Never blocks for long.
    func post(_ deliveries: [Delivery])
}

/// The right, and the duty, to answer one request later, from any thread.
///
/// Each ticket of a request answered `.later` must be delivered exactly once: until then the
/// request counts as unanswered, and a stop waits for it.
package struct ReplyTicket: Sendable {
    let outlet: any ReplyOutlet
    let connection: UInt64
    let batch: UInt32
    /// What the request holds until it is answered, in bytes.
    var cost: UInt32 = 0
    let wantsReply: Bool

    /// Whether anybody waits for the answer: false for a notification.
    package var isNotification: Bool { !wantsReply }

    /// Sends the response object, without a frame header.
    ///
    /// It is dropped if the request was a notification, or if the connection is gone.
    package func deliver(_ response: [UInt8]) { outlet.post([delivery(of: response)]) }

    func delivery(of response: [UInt8]) -> Delivery {
        Delivery(
            connection: connection,
            batch: batch,
            cost: cost,
            response: wantsReply ? response : []
        )
    }
}

/// One response on its way to its RPC thread.
package struct Delivery: Sendable {
    /// The connection's index and generation, as its thread numbers them.
    package let connection: UInt64
    let batch: UInt32
    /// What the request held, in bytes.
    var cost: UInt32 = 0
    /// A response object, or whole frames.
    package let response: [UInt8]
    /// Whole frames that answer no request.
    package var isPush = false
}

/// Responses collected so that each RPC thread is woken once for all of them.
package struct DeliveryGroup: Sendable {
    private var parts: [(outlet: any ReplyOutlet, deliveries: [Delivery])] = []

    /// An empty group.
    package init() {}

    /// Adds the response of one ticket, as `ReplyTicket.deliver` would send it.
    package mutating func add(_ response: [UInt8], to ticket: ReplyTicket) {
        let delivery = ticket.delivery(of: response)
        if let place = parts.firstIndex(where: { $0.outlet === ticket.outlet }) {
            parts[place].deliveries.append(delivery)
        } else {
            parts.append((ticket.outlet, [delivery]))
        }
    }

    /// Sends all of them and empties the group.
    package mutating func send() {
        for part in parts { part.outlet.post(part.deliveries) }
        parts.removeAll(keepingCapacity: true)
    }
}
