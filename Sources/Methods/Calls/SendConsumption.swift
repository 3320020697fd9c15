import Entitlements
import JSON
import Wire

extension Call {
    /// `sendConsumption`: the answer to the store's question about a purchase that may be refunded.
    ///
    /// The store wants the customer's consent to that; without it nothing is sent.
    static let sendConsumption = errand(
        "sendConsumption",
        for: .support,
        asking: .consumption,
        taking: [
            "transactionId", "customerConsented", "deliveryStatus", "sampleContentProvided",
            "consumptionPercentage", "refundPreference", "bundleId",
        ]
    ) { (worker, params, _, client) throws(RPCFailure) in
        guard let transaction = try params.storeID("transactionId") else {
            throw .invalid("transactionId", "is missing")
        }
        guard try params.flag("customerConsented") == true else {
            throw .invalid(
                "customerConsented",
                "must be true: without the customer's consent nothing may be sent"
            )
        }
        guard let delivery = try params.word("deliveryStatus", ConsumptionReport.Delivery.self)
        else { throw .invalid("deliveryStatus", "is missing") }
        guard let sampleProvided = try params.flag("sampleContentProvided") else {
            throw .invalid("sampleContentProvided", "is missing")
        }
        let report = ConsumptionReport(
            transactionID: transaction,
            bundleID: try params.namedApp(of: client),
            delivery: delivery,
            sampleProvided: sampleProvided,
            consumedMilliPercent: try params.number(
                "consumptionPercentage",
                in: 0...MethodLimits.milliPercentMax
            ),
            preference: try params.word("refundPreference", ConsumptionReport.Preference.self)
        )
        return .ask { () async throws(RPCFailure) in
            do throws(StoreAPIFailure) {
                try await client.send(report)
                return ["success": true]
            } catch {
                return try error.answer()
            }
        }
    }
}

extension ParamsView {
    /// One of the store's words, if it is there.
    fileprivate func word<Word: RawRepresentable & CaseIterable>(
        _ name: StaticString,
        _: Word.Type
    ) throws(RPCFailure) -> Word? where Word.RawValue == String {
        guard let text = try optionalText(name, bytesMax: MethodLimits.textBytesMax) else {
            return nil
        }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(name, "is one of \(words)")
        }
        return word
    }
}
