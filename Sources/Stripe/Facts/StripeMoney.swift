/// Sums as Stripe writes them: integers in the smallest unit of the currency
/// (https://docs.stripe.com/currencies).
enum StripeMoney {
    /// The sum in thousandths of the currency unit; nil if that exceeds the range of the type.
    static func thousandths(_ amount: Int64, of currency: String) -> Int64? {
        let factor: Int64 =
            if withoutFractions.contains(currency.lowercased()) {
                1000
            } else if withThousandths.contains(currency.lowercased()) {
                1
            } else {
                10
            }
        let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    private static let withoutFractions: Set = [
        "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf",
        "xof", "xpf",
    ]

    private static let withThousandths: Set = ["bhd", "jod", "kwd", "omr", "tnd"]
}
