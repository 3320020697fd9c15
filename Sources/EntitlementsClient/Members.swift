import FoundationEssentials
import JSON

/// The members of a result, each taken out as the type that the documentation promises.
struct Members {
    let object: JSONObject
    private let method: String

    /// The members of `value`, a result of `method`.
    init(_ value: JSONValue?, of method: String) throws(ClientError) {
        guard let object = value?.object else {
            throw .malformedReply("the result of \(method) is not what is documented")
        }
        self.object = object
        self.method = method
    }

    func string(_ key: String) throws(ClientError) -> String {
        guard let value = object[key]?.string else { throw unexpected(key) }
        return value
    }

    func optionalString(_ key: String) throws(ClientError) -> String? {
        isAbsent(key) ? nil : try string(key)
    }

    func bool(_ key: String) throws(ClientError) -> Bool {
        guard let value = object[key]?.bool else { throw unexpected(key) }
        return value
    }

    func optionalBool(_ key: String) throws(ClientError) -> Bool? {
        isAbsent(key) ? nil : try bool(key)
    }

    func integer(_ key: String) throws(ClientError) -> Int64 {
        guard let value = object[key]?.int64 else { throw unexpected(key) }
        return value
    }

    func optionalInteger(_ key: String) throws(ClientError) -> Int64? {
        isAbsent(key) ? nil : try integer(key)
    }

    func date(_ key: String) throws(ClientError) -> Date {
        guard let date = try optionalDate(key) else { throw unexpected(key) }
        return date
    }

    func optionalDate(_ key: String) throws(ClientError) -> Date? {
        if isAbsent(key) { return nil }
        guard let date = UTCTime.date(try string(key)) else { throw unexpected(key) }
        return date
    }

    func members(_ key: String) throws(ClientError) -> Members {
        try Members(object[key], of: "\(method).\(key)")
    }

    func optionalMembers(_ key: String) throws(ClientError) -> Members? {
        isAbsent(key) ? nil : try members(key)
    }

    /// A list of objects, each made into an element.
    func list<Element>(
        _ key: String,
        _ element: (Members) throws(ClientError) -> Element
    ) throws(ClientError) -> [Element] {
        guard let values = object[key]?.array else { throw unexpected(key) }
        var elements: [Element] = []
        for value in values {
            elements.append(try element(Members(value, of: "\(method).\(key)")))
        }
        return elements
    }

    /// The members as the JSON that they came as.
    var json: String { String(decoding: JSONValue.object(object).bytes, as: UTF8.self) }

    /// A plan's limits by their names.
    func limits(_ key: String) throws(ClientError) -> [String: PlanLimit] {
        guard let value = object[key]?.object else { throw unexpected(key) }
        var limits: [String: PlanLimit] = [:]
        for member in value.members {
            switch member.value {
            case .null: limits[member.key] = .unlimited
            case .bool(let flag): limits[member.key] = .flag(flag)
            case .string(let text): limits[member.key] = .text(text)
            case .number(let number):
                limits[member.key] = number.int64.map { .integer($0) } ?? .decimal(number.double)
            case .array, .object: throw unexpected(key)
            }
        }
        return limits
    }

    private func isAbsent(_ key: String) -> Bool { object[key]?.isNull ?? true }

    private func unexpected(_ key: String) -> ClientError {
        .malformedReply("\(key) in the result of \(method) is not what is documented")
    }
}
