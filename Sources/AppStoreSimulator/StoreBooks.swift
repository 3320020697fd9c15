import CertificateAuthority
import Foundation
import JSON
import Synchronization

/// What an open store remembers: its customers, and every notification with what became of it.
///
/// Kept in the store's directory: a file for each customer, and history.jsonl, to which every
/// process of this store appends what it did. So one process can serve what others do.
package final class StoreBooks: Sendable {
    /// Where all is kept.
    package let directory: SimulatorDirectory
    /// The app, its products, and how fast time runs.
    package let settings: StoreSettings
    /// Who signs.
    package let authority: SigningAuthority
    /// The moment it is, in ms since 1970.
    package let clock: @Sendable () -> Int64
    private let pages: Mutex<Pages>

    /// The books in `directory`, which `mint` has made.
    package init(
        _ directory: SimulatorDirectory,
        clock: @escaping @Sendable () -> Int64 = { StoreTime.now() }
    ) throws {
        self.directory = directory
        self.clock = clock
        settings = try directory.settings()
        authority = try directory.authority()
        pages = Mutex(Pages(lines: try SharedLines(directory.path + "/history.jsonl")))
    }

    /// Lets something happen to the customer of this name, and keeps it; a new name is a new
    /// customer.
    ///
    /// Moves `till` to the present first. No two processes change customers at one time, and who
    /// asks the store sees the customer before or after, at a moment that fits.
    package func change<Answer: Sendable>(
        _ name: String,
        _ till: inout Till,
        _ body: (inout Subscriber, inout Till) throws -> Answer
    ) throws -> Answer {
        try pages.withLock { pages in
            try pages.lines.held(alone: true) {
                till.advance(to: clock())
                var customer =
                    try directory.subscriber(name) ?? Subscriber(name, at: &till)
                let answer = try body(&customer, &till)
                try directory.keep(customer)
                try pages.lines.append(JSONValue.object(["customer": .string(name)]).bytes)
                return answer
            }
        }
    }

    /// Keeps a customer as they are, in place of what was kept under the name.
    package func keep(_ customer: Subscriber) throws {
        try pages.withLock { pages in
            try pages.lines.held(alone: true) {
                try directory.keep(customer)
                let name = JSONValue.string(customer.name)
                try pages.lines.append(JSONValue.object(["customer": name]).bytes)
            }
        }
    }

    /// Writes down that a notification was signed, before the first attempt to send it.
    package func note(
        _ notification: SignedNotification,
        about customer: String? = nil,
        testToken: String? = nil
    ) throws {
        var entry: JSONObject = [
            "uuid": .string(notification.uuid), "type": .string(notification.kind.type),
        ]
        entry["subtype"] = notification.kind.subtype.map { .string($0) }
        entry["signedDate"] = .integer(notification.signedDate)
        entry["customer"] = customer.map { .string($0) }
        entry["testToken"] = testToken.map { .string($0) }
        entry["signedPayload"] = .string(notification.signedPayload)
        try append("notification", entry)
    }

    /// Writes down how an attempt to send the notification of this id ended.
    package func note(_ attempt: Delivery.Attempt, of uuid: String) throws {
        try append(
            "attempt",
            [
                "uuid": .string(uuid), "date": .integer(attempt.date),
                "result": .string(attempt.result.rawValue),
            ]
        )
    }

    /// Writes down that the one attempt to send this notification was lost on its way, now.
    package func noteLoss(of notification: SignedNotification) throws {
        try note(.lost, of: notification.uuid)
    }

    /// Writes down what an app told about the use of a purchase.
    func note(_ report: ConsumptionReport) throws {
        try append(
            "consumption",
            [
                "transactionId": .string(report.transactionID), "date": .integer(report.date),
                "body": .object(report.body),
            ]
        )
    }

    /// Writes down an extension for all that is done.
    func note(_ done: MassExtension) throws {
        try append(
            "extension",
            [
                "productId": .string(done.productID),
                "requestIdentifier": .string(done.requestID), "date": .integer(done.date),
                "succeeded": .integer(done.succeeded), "failed": .integer(done.failed),
            ]
        )
    }

    private func append(_ key: String, _ entry: JSONObject) throws {
        let line = JSONValue.object([key: .object(entry)]).bytes
        try pages.withLock { pages in
            try pages.lines.held(alone: true) { try pages.lines.append(line) }
        }
    }

    /// What `body` sees in the books as they stand now; the moment is one at which they stood so.
    func read<Answer: Sendable>(_ body: (borrowing Pages, Int64) throws -> Answer) throws -> Answer
    {
        try pages.withLock { pages in
            let now = try pages.lines.held(alone: false) {
                try pages.catchUp(directory)
                return clock()
            }
            return try body(pages, now)
        }
    }
}

extension StoreBooks {
    /// Every notification that was tried to be sent, in the order of the first attempts.
    package func notices() throws -> [KeptNotice] { try read { pages, _ in pages.notices } }

    /// What apps told about the use of purchases, in order.
    package func consumptionReports() throws -> [ConsumptionReport] {
        try read { pages, _ in pages.reports }
    }

    /// The customer who has this number: of a transaction, of a line, or of an app's download.
    package func customer(of number: String) throws -> Subscriber? {
        try read { pages, _ in pages.customer(of: number) }
    }

    /// The document of a notification, as it was signed.
    package func signedPayload(of notice: KeptNotice) throws -> String {
        try read { pages, _ in try pages.signedPayload(of: notice) }
    }
}

/// What an app told about the use of a purchase.
package struct ConsumptionReport: Sendable {
    /// Which purchase.
    package let transactionID: String
    /// When it was told.
    package let date: Int64
    /// What was told, as sent.
    package let body: JSONObject
}
