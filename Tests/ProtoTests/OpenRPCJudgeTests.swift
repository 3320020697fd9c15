import JSON
import TestSupport
import Testing

/// The judge that other tests hold every answer to finds what is wrong.
struct OpenRPCJudgeTests {
    private static let answer: JSONObject = [
        "canRender": true, "via": "credits", "state": "free_with_credits", "reason": nil,
        "nextChangeAt": nil, "seq": 1,
    ]

    private func faults(_ change: (inout JSONObject) -> Void) -> [String] {
        var answer = Self.answer
        change(&answer)
        return OpenRPC.document.faults(inResult: .object(answer), of: "canRender")
    }

    @Test func `a right answer has no fault`() {
        #expect(faults { _ in } == [])
    }

    @Test func `what is missing, unknown, of another type, or no word is found`() {
        #expect(faults { $0["via"] = nil } == ["canRender.via: is missing"])
        #expect(faults { $0["colour"] = "red" } == ["canRender.colour: is not in the document"])
        let noBoolean = #"canRender.canRender: "yes" is no boolean"#
        #expect(faults { $0["canRender"] = "yes" } == [noBoolean])
        #expect(faults { $0["seq"] = -1 } == ["canRender.seq: -1 is less than 0"])
        #expect(
            faults { $0["state"] = "happy" }
                == [#"canRender.state: "happy" is no word of the document"#]
        )
    }

    @Test func `a method or a notification that there is not is a fault`() {
        #expect(OpenRPC.document.faults(inResult: [:], of: "nothing").count == 1)
        #expect(OpenRPC.document.faults(inNews: [:], of: "nothing").count == 1)
        #expect(OpenRPC.document.faults(inNews: ["seq": 1], of: "heartbeat") == [])
    }
}
