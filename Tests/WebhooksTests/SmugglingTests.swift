import Foundation
import TestSupport
import Testing
import Webhooks

struct SmugglingTests {
    /// Fields between the request line and the empty line, with the body after it.
    private static func raw(_ fields: String, _ body: String = "{}") -> String {
        "POST /webhooks/apple HTTP/1.1\r\n\(fields)\r\n\r\n\(body)"
    }

    private static let ambiguous: [String] = [
        raw("Host: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 2", "0\r\n\r\n"),
        raw("Host: x\r\nContent-Length: 2\r\nContent-Length: 2"),
        raw("Host: x\r\nContent-Length: 2\r\nContent-Length: 3"),
        raw("Host: x\r\nContent-Length: 2, 2"),
        raw("Host: x\r\nContent-Length: +2"),
        raw("Host: x\r\nContent-Length: -2"),
        raw("Host: x\r\nContent-Length: 0x2"),
        raw("Host: x\r\nContent-Length: 2 2"),
        raw("Host: x\r\nContent-Length: 99999999999999999999999"),
        raw("Host: x\r\nContent-Length:"),
        raw("Host: x\r\nTransfer-Encoding: xchunked", "0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: gzip, chunked", "0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: identity", "{}"),
        raw("Host: x\r\nTransfer-Encoding : chunked", "0\r\n\r\n"),
        raw("Host: x\r\n Content-Length: 2"),
        raw("Host: x\r\nX: a\r\n folded\r\nContent-Length: 2"),
        raw("Host: x\r\nX: a\r\n\tfolded\r\nContent-Length: 2"),
        raw("Host : x\r\nContent-Length: 2"),
        raw("Host: x\nContent-Length: 2"),
        raw("Host: x\r\nContent-Length: 2\r\nX: a\rb"),
        raw("Host: x\r\nX: a\0b\r\nContent-Length: 2"),
        raw("Host: x\r\nX\0: a\r\nContent-Length: 2"),
        raw("Host: x\r\n: a\r\nContent-Length: 2"),
        raw("Host: x\r\nno colon\r\nContent-Length: 2"),
        raw("Host: x\r\nTransfer-Encoding: chunked", "2\n{}\r\n0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked", "2\r\n{}0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked", "0x2\r\n{}\r\n0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked", "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n"),
        raw("Host: x\r\nTransfer-Encoding: chunked", "\r\n{}\r\n0\r\n\r\n"),
        raw("Content-Length: 2"),
        raw("Host: x\r\nHost: x\r\nContent-Length: 2"),
        raw("Host: a b\r\nContent-Length: 2"),
        raw("Host: x/y\r\nContent-Length: 2"),
        raw("Host: a@b\r\nContent-Length: 2"),
        raw("Host:\r\nContent-Length: 2"),
        "POST /webhooks/apple HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /webhooks/apple\tHTTP/1.1\r\nHost: x\r\n\r\n",
        "post /webhooks/apple HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST http://x/webhooks/apple HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST webhooks/apple HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /webhooks/apple#x HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /webhooks/apple http/1.1\r\nHost: x\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}",
        "SSH-2.0-OpenSSH_9.2\r\n",
    ]

    @Test(arguments: ambiguous)
    func `an ambiguous request gets 400, and the connection closes`(
        request: String
    ) async throws {
        try await Door.open { door in
            // What was smuggled must never be heard.
            let answer = try await exchange(door.port, request + post(body: "smuggled"))
            #expect(status(answer) == 400)
            #expect(answer.contains("Connection: close\r\n"))
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(!answer.hasSuffix("<timeout>"))
            #expect(!door.bodies.contains("smuggled"))
            #expect(door.refusals(400) == 1)
        }
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/3.0", "HTTP/0.9", "HTTP/1.2", "HTTP/1.10", "HTTP/1.1 ", ""])
    func `another version is refused`(version: String) async throws {
        try await Door.open { door in
            let request =
                "POST /webhooks/apple \(version)\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
            let answer = try await exchange(door.port, request)
            #expect([400, 505].contains(status(answer) ?? 0))
            #expect(door.bodies.isEmpty)
        }
    }

    /// RFC 9112, section 3, lets a recipient split the line at any run of spaces; it leaves no
    /// doubt
    /// about where the request ends.
    @Test func `doubled spaces in the request line are one`() async throws {
        try await Door.open { door in
            let fields = "Host: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
            for line in ["POST  /webhooks/apple HTTP/1.1", "POST /webhooks/apple  HTTP/1.1"] {
                try await expect(200, door.port, "\(line)\r\n\(fields)")
            }
        }
    }

    @Test func `the HTTP 2 preface is refused`() async throws {
        try await Door.open { door in
            let answer = try await exchange(door.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            #expect([400, 505].contains(status(answer) ?? 0))
        }
    }

    @Test func `a chunk extension does not become body, and is bounded by the deadline`()
        async throws
    {
        try await Door.open { door in
            let request =
                "POST /webhooks/apple HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n"
            let answer = try await exchange(door.port, request)
            #expect(answer.hasSuffix("<{}>"))
        }
    }
}
