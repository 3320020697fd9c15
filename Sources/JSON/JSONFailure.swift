/// Why a text is not the JSON that is accepted here; `at` is the offset of the first wrong byte.
package enum JSONFailure: Error, Equatable, Sendable {
    /// The text ends inside a value.
    case truncated(at: Int)
    /// A byte that the grammar of RFC 8259 does not allow there.
    case syntax(at: Int)
    /// Something follows the value.
    case trailingBytes(at: Int)
    /// Not UTF-8: overlong, a surrogate, above U+10FFFF, or a cut sequence.
    case invalidUTF8(at: Int)
    /// A `\uD800`-`\uDFFF` escape without its other half.
    case loneSurrogate(at: Int)
    /// A key that its object already has, escapes decoded.
    case duplicateKey(at: Int)
    /// Arrays and objects nest deeper than allowed.
    case tooDeep(at: Int)
    /// An object with more than `JSONLimits.membersMax` members.
    case tooManyMembers(at: Int)
    /// More than `JSONLimits.textBytesMax` bytes.
    case tooLong
}

extension JSONFailure: CustomStringConvertible {
    /// One clause for people, without any of the text itself.
    package var description: String {
        switch self {
        case .truncated(let offset): "the text ends too early, at byte \(offset)"
        case .syntax(let offset): "not JSON at byte \(offset)"
        case .trailingBytes(let offset): "bytes after the value, at byte \(offset)"
        case .invalidUTF8(let offset): "not UTF-8 at byte \(offset)"
        case .loneSurrogate(let offset): "half a surrogate pair at byte \(offset)"
        case .duplicateKey(let offset): "a duplicate key at byte \(offset)"
        case .tooDeep(let offset): "nested too deep at byte \(offset)"
        case .tooManyMembers(let offset): "too many members in one object at byte \(offset)"
        case .tooLong: "the text is too long"
        }
    }
}
