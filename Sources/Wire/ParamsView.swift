import JSON

/// What a request says of one parameter.
@usableFromInline
package enum Parameter<Value> {
    /// Nothing, or `null`.
    case absent
    /// Something of another type.
    case wrongType
    /// This.
    case value(Value)

    /// The value, if there is one.
    @inlinable package var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Whether the request says nothing of the parameter.
    @inlinable package var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }
}

/// The named parameters of a request, still in the frame's own bytes.
///
/// Valid only until the worker has answered: copy what is kept.
@usableFromInline
package struct ParamsView {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let members: UnsafeBufferPointer<JSONMember>
    @usableFromInline unowned(unsafe) let decoded: DecodedText

    /// How many parameters there are.
    @inlinable package var count: Int { members.count }

    /// The UTF-8 of a string: a window into the frame, or a copy if the string contains escapes.
    @inlinable
    package func bytes(of name: StaticString) -> Parameter<UnsafeRawBufferPointer> {
        guard let member = member(name) else { return .absent }
        let token = token(member)
        guard token[0] == UInt8(ascii: "\"") else {
            return token[0] == UInt8(ascii: "n") ? .absent : .wrongType
        }
        // SAFETY: a string's token has both its quotes.
        let inside = UnsafeRawBufferPointer(rebasing: token[1..<(token.count - 1)])
        return .value(member.valueIsEscaped ? decoded.copy(of: inside) : inside)
    }

    /// A string.
    package func string(of name: StaticString) -> Parameter<String> {
        switch bytes(of: name) {
        case .absent: .absent
        case .wrongType: .wrongType
        case .value(let bytes): .value(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// A number that is exactly an integer of 64 bits; `1.0` and `1e3` are.
    package func integer(of name: StaticString) -> Parameter<Int64> {
        guard let member = member(name) else { return .absent }
        let token = token(member)
        switch token[0] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONNumber.int64(token).map { .value($0) } ?? .wrongType
        case UInt8(ascii: "n"): return .absent
        default:
            return .wrongType
        }
    }

    /// `true` or `false`.
    package func bool(of name: StaticString) -> Parameter<Bool> {
        guard let member = member(name) else { return .absent }
        switch token(member)[0] {
        case UInt8(ascii: "t"): return .value(true)
        case UInt8(ascii: "f"): return .value(false)
        case UInt8(ascii: "n"): return .absent
        default: return .wrongType
        }
    }

    /// Any value, as a tree.
    package func value(of name: StaticString) -> JSONValue? {
        member(name).map { JSONValue(checked: token($0)) }
    }

    /// The bytes of any value as they were written, quotes included.
    @inlinable
    package func raw(of name: StaticString) -> UnsafeRawBufferPointer? {
        member(name).map { token($0) }
    }

    /// Whether the request says anything of a parameter, `null` included.
    package func names(_ name: StaticString) -> Bool { member(name) != nil }

    /// All names, in the order written.
    package var names: [String] { members.map(text(of:)) }

    private func text(of member: JSONMember) -> String {
        let key = key(member)
        return member.keyIsEscaped
            ? String(decoding: JSONText.decoded(key), as: UTF8.self)
            : String(decoding: key, as: UTF8.self)
    }

    /// The first name that is not in `known`; for methods that refuse what they do not know.
    package func firstName(notIn known: [StaticString]) -> String? {
        let isUnknown = { (member: JSONMember) in
            !known.contains { isNamed(member, $0) }
        }
        return members.first(where: isUnknown).map(text(of:))
    }

    @inlinable
    func member(_ name: StaticString) -> JSONMember? {
        var index = 0
        while index < members.count {
            if isNamed(members[index], name) { return members[index] }
            index += 1
        }
        return nil
    }

    @inlinable @inline(__always)
    func isNamed(_ member: JSONMember, _ name: StaticString) -> Bool {
        if member.keyIsEscaped { return isNamedEscaped(member, name) }
        let count = name.utf8CodeUnitCount
        guard Int(member.keyEnd &- member.keyStart) == count else { return false }
        // SAFETY: the scanner found the key inside the frame; its length was just compared.
        let key = base + Int(member.keyStart)
        let text = name.utf8Start
        var index = 0
        while index < count {
            if key.load(fromByteOffset: index, as: UInt8.self) != text[index] { return false }
            index += 1
        }
        return true
    }

    @usableFromInline
    func isNamedEscaped(_ member: JSONMember, _ name: StaticString) -> Bool {
        JSONText.stands(key(member), for: name)
    }

    private func key(_ member: JSONMember) -> UnsafeRawBufferPointer {
        // SAFETY: the scanner found the key inside the frame.
        UnsafeRawBufferPointer(
            start: base + Int(member.keyStart),
            count: Int(member.keyEnd - member.keyStart)
        )
    }

    @inlinable @inline(__always)
    func token(_ member: JSONMember) -> UnsafeRawBufferPointer {
        // SAFETY: the scanner found the value inside the frame; it has at least one byte.
        UnsafeRawBufferPointer(
            start: base + Int(member.valueStart),
            count: Int(member.valueEnd &- member.valueStart)
        )
    }
}
