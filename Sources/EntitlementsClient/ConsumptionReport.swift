import JSON

/// What you tell Apple about a purchase whose refund is asked for.
public struct ConsumptionReport: Equatable, Sendable {
    /// Whether the customer has consented that you tell it; Apple takes nothing without.
    public var customerConsented: Bool
    /// Apple's word for what was delivered, such as `DELIVERED`.
    public var deliveryStatus: String
    /// Whether a sample was to be had before the purchase.
    public var sampleContentProvided: Bool
    /// How much was used, in thousandths of a percent.
    public var consumptionPercentage: Int?
    /// Apple's word for what you would like, such as `DECLINE`.
    public var refundPreference: String?

    /// A report with what Apple requires.
    public init(
        customerConsented: Bool,
        deliveryStatus: String,
        sampleContentProvided: Bool,
        consumptionPercentage: Int? = nil,
        refundPreference: String? = nil
    ) {
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }

    var parameters: JSONObject {
        var parameters: JSONObject = [
            "customerConsented": .bool(customerConsented),
            "deliveryStatus": .string(deliveryStatus),
            "sampleContentProvided": .bool(sampleContentProvided),
        ]
        parameters["consumptionPercentage"] = consumptionPercentage.map { .integer(Int64($0)) }
        parameters["refundPreference"] = refundPreference.map { .string($0) }
        return parameters
    }
}
