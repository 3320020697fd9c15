import TestSupport
import Testing

/// A request as Apple sends it, with other fields where given.
func post(
    _ path: String = "/webhooks/apple",
    method: String = "POST",
    fields: [String] = ["Content-Type: application/json"],
    body: String = "{}",
    close: Bool = true
) -> String {
    let all =
        ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
        + fields + (close ? ["Connection: close"] : [])
    return all.joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// Expects this status for `text`.
func expect(
    _ expected: Int,
    _ port: Int,
    _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let answer = try await exchange(port, text)
    #expect(status(answer) == expected, sourceLocation: sourceLocation)
}

/// Expects this status of an answer.
func expect(
    _ expected: Int,
    of answer: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(status(answer) == expected, sourceLocation: sourceLocation)
}

/// Expects this part in an answer.
func expect(
    _ part: String,
    in answer: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.contains(part), sourceLocation: sourceLocation)
}
