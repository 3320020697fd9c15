import Entitlements
import JSON

/// The payloads of one notification or purchase, in the shape that Apple documents, before they are
/// signed.
package struct ApplePayloads: Sendable {
    /// The app that they speak of.
    package static let bundleID = "com.example.app"
    /// Its Apple id.
    package static let appAppleID: Int64 = 1_234_567_890

    /// The inner transaction.
    package private(set) var transaction: JSONValue?
    /// The inner renewal information.
    package private(set) var renewal: JSONValue?
    /// The inner app transaction, in `RESCIND_CONSENT` alone.
    package private(set) var appTransaction: JSONValue?
    private var outer = JSONObject()
    private var object = JSONObject()
    private var objectName = "data"

    /// The app transaction that `step`, a `register`, shows; nil for none.
    static func appTransaction(
        shownBy step: ScenarioStep,
        names: ScenarioNames
    ) throws(ScenarioFailure) -> JSONValue? {
        guard step.words["appTransaction"] != nil else { return nil }
        return try ApplePayloadWriter(step, names).appTransaction()
    }

    /// What `step`, a `verifyPurchase`, shows.
    init(purchase step: ScenarioStep, names: ScenarioNames) throws(ScenarioFailure) {
        let writer = ApplePayloadWriter(step, names)
        transaction = try writer.transaction()
        renewal = try writer.renewal()
        guard transaction != nil else {
            throw ScenarioFailure(line: step.line, "a purchase names tx, product and purchase")
        }
    }

    /// What `step`, a `notify`, sends.
    init(notification step: ScenarioStep, names: ScenarioNames) throws(ScenarioFailure) {
        let writer = ApplePayloadWriter(step, names)
        transaction = try writer.transaction()
        renewal = try writer.renewal()
        outer = try writer.outer()
        let type = outer["notificationType"]?.string
        let subtype = outer["subtype"]?.string
        switch (type, subtype) {
        case ("RENEWAL_EXTENSION", "SUMMARY"):
            objectName = "summary"
            object = writer.summary()
        case ("EXTERNAL_PURCHASE_TOKEN", _):
            objectName = "externalPurchaseToken"
            object = try writer.externalPurchaseToken()
        case _ where step.words["object"] != nil:
            objectName = step.words["object"] ?? ""
            object = writer.app()
        case ("RESCIND_CONSENT", _):
            objectName = "appData"
            object = writer.app()
            appTransaction = try writer.appTransaction()
        default:
            object = writer.app()
            if type != "TEST" { object["bundleVersion"] = "1" }
            if let status = try step.number("status") { object["status"] = .integer(status) }
        }
    }

    /// The notification's own payload, with the inner documents as `sign` writes them.
    package func outer(signing sign: (JSONValue) throws -> String) rethrows -> JSONValue {
        var object = object
        if let transaction { object["signedTransactionInfo"] = .string(try sign(transaction)) }
        if let renewal { object["signedRenewalInfo"] = .string(try sign(renewal)) }
        if let appTransaction {
            object["signedAppTransactionInfo"] = .string(try sign(appTransaction))
        }
        var outer = outer
        outer[objectName] = .object(object)
        return .object(outer)
    }
}
