/// The limits of a receipt's content.
enum ReceiptContentLimits {
    /// Purchases in one receipt; ten years of weekly renewals are 520.
    static let purchasesMax = 4096
}
