import FoundationEssentials
import JSON

extension JSONValue {
    /// The value as what the documentation promises: a result of `method`, or a part of one.
    package func decoded<Answer: Decodable>(of method: String) throws(ClientError) -> Answer {
        do {
            return try Self.decoder.decode(Answer.self, from: Data(bytes))
        } catch {
            throw .malformedReply(Self.complaint(error as? DecodingError, method))
        }
    }

    private static func complaint(_ error: DecodingError?, _ method: String) -> String {
        var path: [any CodingKey] = []
        switch error {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            path = context.codingPath
        case nil: break
        @unknown default: break
        }
        let names = path.filter { $0.intValue == nil }.map { MemberName($0.stringValue).onWire }
        guard let last = names.last else {
            return "the result of \(method) is not what is documented"
        }
        let place = ([method] + names.dropLast()).joined(separator: ".")
        return "\(last) in the result of \(place) is not what is documented"
    }

    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            MemberName(path.last?.stringValue ?? "").inSwift
        }
        decoder.dateDecodingStrategy = .custom { decoder in
            let value = try decoder.singleValueContainer()
            guard let date = UTCTime.date(try value.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "no moment")
            }
            return date
        }
        return decoder
    }()
}

/// The name of a member: `userId` on the wire, `userID` in Swift.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ stringValue: String) { self.stringValue = stringValue }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }

    var inSwift: MemberName { replacing("Id", by: "ID") }
    var onWire: String { replacing("ID", by: "Id").stringValue }

    private func replacing(_ end: String, by other: String) -> MemberName {
        guard stringValue.hasSuffix(end) else { return self }
        return MemberName(stringValue.dropLast(end.count) + other)
    }
}
