import JSON
import Testing
import Wire

@testable import Methods

/// proto/openrpc.json and the code say the same.
struct OpenRPCTests {
    private let document: JSONValue
    private let methods: [String: JSONValue]

    init() throws {
        document = try Paper.json("proto/openrpc.json")
        var methods: [String: JSONValue] = [:]
        for method in document["methods"]?.array ?? [] {
            methods[try #require(method["name"]?.string)] = method
        }
        self.methods = methods
    }

    @Test func `what rpc.discover answers is the file, in the same order`() throws {
        #expect(OpenRPCDocument.compact == document.bytes)
    }

    @Test func `the document and the code have the same methods`() {
        #expect(Set(methods.keys) == Set(Calls.names))
        #expect(document["methods"]?.array?.count == Calls.all.count)
    }

    @Test(arguments: Calls.all)
    func `a method is for the same role in both`(call: Call) throws {
        let role = try #require(methods["\(call)"]?["x-role"]?.string)
        #expect(Role(name: role) == call.role)
    }

    @Test(arguments: Calls.all)
    func `a method with a key needs no other mark, and every question is repeatable`(
        call: Call
    ) throws {
        let described = try #require(methods["\(call)"])
        let isMarked = described["x-repeatable"]?.bool == true
        let isKeyed = try parameters(described).contains("idempotencyKey")
        #expect(!isMarked || !isKeyed)
        if case .question = call.run { #expect(isMarked) }
    }

    @Test(arguments: Calls.all)
    func `a write takes just the parameters of the document`(call: Call) throws {
        let described = try #require(methods["\(call)"])
        let names = try parameters(described)
        #expect(Set(names).count == names.count)
        #expect(described["paramStructure"]?.string == "by-name")
        if let known = call.parameters {
            #expect(known.map { "\($0)" } == names)
        }
    }

    @Test(arguments: Calls.all)
    func `a method that writes refuses unknown parameters, and a read takes them`(call: Call) {
        let others = [
            "backup", "extendRenewal", "reconcile", "sendConsumption", "setLogLevel",
            "testNotification",
        ]
        switch call.run {
        case .write: #expect(call.parameters != nil)
        case .question, .watch: #expect(call.parameters == nil)
        case .inPlace, .read, .errand:
            #expect(call.parameters != nil || !others.contains("\(call)"))
        }
    }

    @Test(arguments: Calls.all)
    func `an example names only parameters that exist, and all that are required`(
        call: Call
    ) throws {
        let described = try #require(methods["\(call)"])
        let names = Set(try parameters(described))
        let required = Set(
            (described["params"]?.array ?? []).filter { $0["required"]?.bool == true }
                .compactMap { $0["name"]?.string }
        )
        let examples = try #require(described["examples"]?.array)
        #expect(!examples.isEmpty)
        for example in examples {
            let used = Set((example["params"]?.array ?? []).compactMap { $0["name"]?.string })
            #expect(used.isSubset(of: names))
            #expect(required.isSubset(of: used))
            #expect(example["result"]?["value"] != nil)
        }
    }

    @Test func `the errors of the document are those of the code`() throws {
        let errors = try #require(document["components"]?["errors"]?.object)
        var seen: Set<ErrorCode> = []
        for member in errors.members {
            let number = try #require(member.value["code"]?.int64)
            let code = try #require(ErrorCode(rawValue: Int(number)), "\(member.key): \(number)")
            #expect(member.value["data"]?["code"]?.string == code.name)
            #expect(member.value["data"]?["retryable"]?.bool == code.isRetryable)
            #expect(member.value["message"]?.string?.hasSuffix(".") == true)
            seen.insert(code)
        }
        #expect(seen == Set(ErrorCode.allCases))
        #expect(errors.members.count == seen.count)
    }

    @Test func `what a watch is told has a schema each`() throws {
        let news = try #require(methods["watch"]?["x-notifications"]?.object)
        let told = [
            "entitlementChanged", "storeEvent", "catalogChanged", "heartbeat", "resync",
        ]
        #expect(news.keys == told)
    }

    @Test func `every reference within the document leads somewhere`() {
        let references = references(in: document)
        #expect(references.count > 100)
        for reference in references where !reference.hasPrefix("https://") {
            var place: JSONValue? = reference.hasPrefix("#/") ? document : nil
            for step in reference.dropFirst(2).split(separator: "/") {
                place = place?[String(step)]
            }
            #expect(place != nil, "\(reference)")
        }
    }

    private func parameters(_ method: JSONValue) throws -> [String] {
        try #require(method["params"]?.array).compactMap { $0["name"]?.string }
    }

    private func references(in value: JSONValue) -> [String] {
        switch value {
        case .null, .bool, .number, .string: []
        case .array(let elements): elements.flatMap(references)
        case .object(let object):
            object.members.flatMap { member in
                guard member.key == "$ref", let target = member.value.string else {
                    return references(in: member.value)
                }
                return [target]
            }
        }
    }
}
