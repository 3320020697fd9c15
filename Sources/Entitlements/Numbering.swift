/// Small numbers for the names that answers hold: products, and plans named in grants.
///
/// A number is given once, in the order of the journal, and never changes.
package struct Numbering: Hashable, Sendable {
    /// The names, by number.
    package private(set) var names: [String] = []
    private var numbers: [String: UInt32] = [:]

    /// A numbering of these names, in their order.
    package init(names: [String] = []) {
        for name in names { _ = number(of: name) }
    }

    /// The number of `name`, given now where it had none.
    package mutating func number(of name: String) -> UInt32 {
        if let number = numbers[name] { return number }
        let number = UInt32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }

    /// The number that `name` already has.
    package func existingNumber(of name: String) -> UInt32? { numbers[name] }

    /// How a plan is written here; no product id contains a control character.
    package static func planName(_ plan: String) -> String { "\u{1}" + plan }
}
