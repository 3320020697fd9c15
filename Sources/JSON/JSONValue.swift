/// A JSON value as a tree, for all that is not on the fast road.
package indirect enum JSONValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as written.
    case number(JSONNumber)
    /// A string, escapes decoded.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, in the order written.
    case object(JSONObject)

    /// Parses all of `bytes`, under the rules of `JSONScanner`.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer,
        depthMax: Int = JSONLimits.depthMax
    ) throws(JSONFailure) -> JSONValue {
        var scanner = JSONScanner()
        try scanner.scan(bytes, depthMax: depthMax)
        return JSONValue(checked: bytes)
    }

    /// Parses all of `bytes`, under the rules of `JSONScanner`.
    package static func parse(
        _ bytes: [UInt8],
        depthMax: Int = JSONLimits.depthMax
    ) throws(JSONFailure) -> JSONValue {
        try bytes.withUnsafeBufferPointer { (bytes) throws(JSONFailure) in
            try parse(UnsafeRawBufferPointer(bytes), depthMax: depthMax)
        }
    }

    /// The value in `bytes`, which a scanner has already accepted.
    package init(checked bytes: UnsafeRawBufferPointer) {
        var builder = JSONBuilder(bytes)
        self = builder.value()
    }

    /// The member `key`, if this is an object that has it.
    package subscript(_ key: String) -> JSONValue? { object?[key] }

    /// The string, if this is one.
    package var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The integer, if this is a number that is exactly one.
    package var int64: Int64? { if case .number(let value) = self { value.int64 } else { nil } }

    /// The nearest double, if this is a number.
    package var double: Double? { if case .number(let value) = self { value.double } else { nil } }

    /// The truth value, if this is one.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The elements, if this is an array.
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The object, if this is one.
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// Whether this is `null`.
    package var isNull: Bool { if case .null = self { true } else { false } }

    /// The number `value`.
    package static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

    /// The compact text of this value.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendValue(self)
        return bytes
    }

    /// How many bytes the compact text has; nothing is written.
    package var byteCount: Int {
        var count = ByteCount()
        count.appendValue(self)
        return count.bytes
    }
}

/// Counts what would be written.
private struct ByteCount: JSONSink {
    private(set) var bytes = 0

    mutating func append(bytes text: UnsafeRawBufferPointer) { bytes += text.count }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A string.
    package init(stringLiteral value: String) { self = .string(value) }

    /// An integer.
    package init(integerLiteral value: Int64) { self = .integer(value) }

    /// A truth value.
    package init(booleanLiteral value: Bool) { self = .bool(value) }

    /// `null`.
    package init(nilLiteral: ()) { self = .null }

    /// An array.
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// An object, in the order written.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { .init(key: $0.0, value: $0.1) }))
    }
}
