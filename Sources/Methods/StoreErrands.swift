import Entitlements
import JSON
import Wire

/// What the app's maker tells the store about the use of a purchase, before it decides on a refund.
package struct ConsumptionReport: Hashable, Sendable {
    /// Whether the purchase reached the customer, in Apple's words.
    package enum Delivery: String, Sendable, CaseIterable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    /// What the app's maker would like, in Apple's words.
    package enum Preference: String, Sendable, CaseIterable {
        case decline = "DECLINE"
        case full = "GRANT_FULL"
        case prorated = "GRANT_PRORATED"
    }

    /// Which purchase.
    package let transactionID: String
    /// Of which app; nil for whichever knows it.
    package let bundleID: String?
    /// Whether it reached the customer.
    package let delivery: Delivery
    /// Whether the customer could try it before.
    package let sampleProvided: Bool
    /// How much of it is used, in thousandths of a percent.
    package let consumedMilliPercent: Int64?
    /// What the app's maker would like.
    package let preference: Preference?
}

/// A renewal that is to be put off.
package struct ExtensionWish: Hashable, Sendable {
    /// Any transaction of the subscription's, or its original one.
    package let transactionID: String
    /// Of which app; nil for whichever knows it.
    package let bundleID: String?
    /// By how many days.
    package let days: Int64
    /// Why, as Apple's number.
    package let reason: Int64
    /// What this request is called.
    package let requestID: String
}

/// What the store says of a renewal that was put off.
package struct RenewalExtension: Hashable, Sendable {
    /// Which subscription.
    package let originalTransactionID: String
    /// Which of its periods.
    package let webOrderLineItemID: String?
    /// Whether it was done.
    package let isSuccess: Bool
    /// When it renews now.
    package let effective: Moment?

    /// An answer of the store's.
    package init(
        originalTransactionID: String,
        webOrderLineItemID: String?,
        isSuccess: Bool,
        effective: Moment?
    ) {
        self.originalTransactionID = originalTransactionID
        self.webOrderLineItemID = webOrderLineItemID
        self.isSuccess = isSuccess
        self.effective = effective
    }
}

/// What is asked of the store for one customer.
extension MethodWorker {
    func storeErrand(
        _ method: Method,
        _ params: ParamsView
    ) throws(RPCFailure) -> LateRead {
        switch method {
        case .signOffer: try signingOffer(params)
        case .signIntroductoryOffer: try signingIntroductoryOffer(params)
        case .sendConsumption: try sendingConsumption(params)
        case .extendRenewal: try extendingRenewal(params)
        default: preconditionFailure("other methods are answered elsewhere")
        }
    }

    /// `sendConsumption`: the answer to Apple's question about a purchase that may be refunded.
    ///
    /// Apple wants the customer's consent to that; without it nothing is sent.
    private func sendingConsumption(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        guard let client = service.storeClient else { throw .noStoreClient }
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
            do throws(StoreClientFailure) {
                try await client.send(report)
                return ["success": true]
            } catch {
                return try error.answer()
            }
        }
    }

    /// `extendRenewal`: days given to a customer who has paid, by the store itself.
    private func extendingRenewal(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        guard let client = service.storeClient else { throw .noStoreClient }
        guard let transaction = try params.storeID("transactionId") else {
            throw .invalid("transactionId", "is missing")
        }
        guard let days = try params.count("extendByDays", max: MethodLimits.extensionDaysMax) else {
            throw .invalid("extendByDays", "is missing")
        }
        guard let reason = try params.number("extendReasonCode", in: 0...3) else {
            throw .invalid("extendReasonCode", "is missing")
        }
        let wish = ExtensionWish(
            transactionID: transaction,
            bundleID: try params.namedApp(of: client),
            days: days,
            reason: reason,
            requestID: try params.storeID("requestIdentifier") ?? "\(Token.nonce())"
        )
        return .ask { () async throws(RPCFailure) in
            do throws(StoreClientFailure) {
                let done = try await client.extend(wish)
                return [
                    "success": .bool(done.isSuccess),
                    "originalTransactionId": .string(done.originalTransactionID),
                    "webOrderLineItemId": done.webOrderLineItemID.map { .string($0) } ?? .null,
                    "effectiveDate": done.effective.map {
                        .string(TimeText.text($0.milliseconds))
                    } ?? .null,
                    "requestIdentifier": .string(wish.requestID),
                ]
            } catch {
                return try error.answer()
            }
        }
    }
}

extension StoreClientFailure {
    /// A store that says no is an answer; a store that says nothing is an error.
    fileprivate func answer() throws(RPCFailure) -> JSONObject {
        guard case .declined(let code, let words) = self else { throw RPCFailure(self) }
        return ["success": false, "errorCode": .integer(code), "errorMessage": .string(words)]
    }
}

extension ParamsView {
    /// One of Apple's words, if it is there.
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

    /// A whole number within `range`, if it is there.
    fileprivate func number(
        _ name: StaticString,
        in range: ClosedRange<Int64>
    ) throws(RPCFailure) -> Int64? {
        switch integer(of: name) {
        case .absent: return nil
        case .value(let number) where range.contains(number): return number
        case .wrongType, .value:
            throw .invalid(
                name,
                "is a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }
}
