import JSON

/// An object whose members are neither objects nor lists: the result of most writes.
///
/// It is written as it stands; the tree that a `JSONObject` is takes ten times as long.
package struct FlatObject: ExpressibleByDictionaryLiteral, Sendable {
    /// What a member says.
    package enum Value: Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case integer(Int64)
        /// Any text.
        case string(String)
    }

    fileprivate let members: [(StaticString, Value)]

    /// An object with these members, in the order written; no key needs an escape.
    package init(dictionaryLiteral elements: (StaticString, Value)...) { members = elements }
}

extension ReplyBuffer {
    /// Appends an object.
    package mutating func append(_ object: FlatObject) {
        var separator: StaticString = "{\""
        for (key, value) in object.members {
            append(separator)
            append(key)
            append("\":")
            switch value {
            case .null: append("null")
            case .bool(let value): appendBool(value)
            case .integer(let value): appendInteger(value)
            case .string(let value): appendString(value)
            }
            separator = ",\""
        }
        append(object.members.isEmpty ? "{}" : "}")
    }
}
