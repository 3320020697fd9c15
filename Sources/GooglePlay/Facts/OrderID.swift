/// An order of Google Play: `GPA.1234-5678-9012-34567`, and for the renewals of a subscription the
/// same followed by `..0`, `..1` and so on.
package enum OrderID {
    /// The number of a subscription's payment: 0 for the first, 1 for the first renewal.
    package static func payment(_ order: String) -> Int64 {
        guard let dots = order.firstRange(of: "..") else { return 0 }
        let digits = order[dots.upperBound...]
        guard digits.utf8.count <= 6, let number = Int64(digits), number >= 0 else { return 0 }
        return number + 1
    }

    /// The order without the renewal.
    package static func base(_ order: String) -> String {
        order.firstRange(of: "..").map { String(order[..<$0.lowerBound]) } ?? order
    }
}
