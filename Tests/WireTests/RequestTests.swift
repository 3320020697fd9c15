import JSON
import Testing
import Wire

@Suite struct RequestTests {
    /// Lays a single request open and hands it to `check`.
    private func read(_ text: String, _ check: (RequestView) throws -> Void) throws {
        var reader = RequestReader()
        try Array(text.utf8)
            .withUnsafeBytes { bytes in
                #expect(try reader.shape(of: bytes) == .single)
                try check(reader.request(in: bytes))
            }
    }

    @Test func `parameters are looked up by name and type`() throws {
        let text = """
            {"jsonrpc":"2.0","id":"x","method":"m","params":{"s":"plain","e":"a\\n\\u00e9","i":-5,
            "f":1.0,"h":0.5,"b":true,"c":false,"n":null,"o":{"k":[1]},"\\u006bey":"v","empty":""}}
            """
        try read(text) { request in
            let params = request.params
            #expect(request.fault == nil && request.hasID && request.id == Array("\"x\"".utf8))
            #expect(request.methodName == "m" && request.isMethod("m") && !request.isMethod("n"))
            #expect(params.count == 11)
            #expect(params.string(of: "s").value == "plain")
            #expect(params.string(of: "e").value == "a\né")
            #expect(params.string(of: "empty").value == "")
            #expect(params.string(of: "key").value == "v")
            #expect(params.bytes(of: "s").value.map { Array($0) } == Array("plain".utf8))
            #expect(params.integer(of: "i").value == -5)
            #expect(params.integer(of: "f").value == 1)
            #expect(params.bool(of: "b").value == true && params.bool(of: "c").value == false)
            #expect(params.value(of: "o") == ["k": [1]])
            #expect(params.value(of: "n") == .null)
            #expect(params.raw(of: "e").map { Array($0) } == Array("\"a\\n\\u00e9\"".utf8))
            for name: StaticString in ["x", "S", "ss", ""] {
                #expect(params.string(of: name).isAbsent && params.integer(of: name).isAbsent)
                #expect(params.bool(of: name).isAbsent && params.value(of: name) == nil)
            }
            // Null is as good as nothing.
            #expect(params.string(of: "n").isAbsent && params.integer(of: "n").isAbsent)
            #expect(params.bool(of: "n").isAbsent)
            for name: StaticString in ["i", "o", "b"] {
                guard case .wrongType = params.string(of: name) else {
                    Issue.record("\(name) is no string")
                    continue
                }
            }
            for name: StaticString in ["h", "s"] {
                guard case .wrongType = params.integer(of: name) else {
                    Issue.record("\(name) is no integer")
                    continue
                }
            }
            guard case .wrongType = params.bool(of: "s") else {
                Issue.record("a string is no truth value")
                return
            }
            #expect(params.names == ["s", "e", "i", "f", "h", "b", "c", "n", "o", "key", "empty"])
            #expect(
                params.firstName(notIn: ["s", "e", "i", "f", "h", "b", "c", "n", "o", "key"])
                    == "empty"
            )
            #expect(
                params.firstName(notIn: [
                    "s", "e", "i", "f", "h", "b", "c", "n", "o", "key", "empty",
                ]) == nil
            )
        }
    }

    @Test func `decoded strings stay apart and valid until the next frame`() throws {
        let text =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\u006d\","
            + "\"params\":{\"a\":\"\\u0041\",\"b\":\"\\u0042\"}}"
        try read(text) { request in
            let first = request.params.bytes(of: "a").value
            let second = request.params.bytes(of: "b").value
            #expect(first.map { Array($0) } == [0x41] && second.map { Array($0) } == [0x42])
            #expect(request.isMethod("m"))
        }
    }

    @Test(arguments: [
        ("1", RequestFault.noObject), ("{}", .version),
        ("{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":1}", .id),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"params\":[]}", .method),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}", .listedParams),
        ("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":0}", .scalarParams),
    ])
    func `the first fault counts`(text: String, fault: RequestFault) throws {
        try read(text) { #expect($0.fault == fault) }
    }

    @Test func `roles nest`() {
        #expect(Role.reader < .app && .app < .support && .support < .admin)
        #expect(!(Role.admin < .reader))
        for role in Role.allCases { #expect(Role(name: role.name) == role) }
        #expect(Role(name: "root") == nil)
    }
}
