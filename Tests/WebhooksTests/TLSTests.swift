import DaemonConfiguration
import Foundation
import HTTPServer
import TestSupport
import Testing
import Webhooks

private func connect(_ port: Int, _ input: String, _ more: [String] = []) async throws -> String {
    try await onThread {
        try openssl(["s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof"] + more, input: input)
    }
}

struct TLSTests {
    @Test func `a notification over TLS is answered, and the end is orderly`() async throws {
        let authority = try Authority()
        let pair = try authority.mint("first")
        try await Door.open(
            configured {
                $0.transport = .tls(
                    certificatePath: pair.certificatePath,
                    privateKeyPath: pair.privateKeyPath
                )
            }
        ) { door in
            for version in ["-tls1_2", "-tls1_3"] {
                let answer = try await connect(
                    door.port,
                    post(body: "{\"v\":1}"),
                    [version, "-alpn", "h2,http/1.1"]
                )
                #expect(answer.contains("HTTP/1.1 200 OK"))
                #expect(answer.contains("<{\"v\":1}>"))
                #expect(answer.contains("ALPN protocol: http/1.1"))
                #expect(!answer.contains("unexpected eof"))
            }
            #expect(door.bodies.count == 2)
        }
    }

    @Test func `old versions and weak ciphers are refused`() async throws {
        let authority = try Authority()
        let pair = try authority.mint("first")
        try await Door.open(
            configured {
                $0.transport = .tls(
                    certificatePath: pair.certificatePath,
                    privateKeyPath: pair.privateKeyPath
                )
            }
        ) { door in
            for more in [
                ["-tls1_1", "-cipher", "ALL@SECLEVEL=0"], ["-tls1", "-cipher", "ALL@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256@SECLEVEL=0"],
            ] {
                let answer = try await connect(door.port, post(), more)
                #expect(!answer.contains("HTTP/1.1"))
                #expect(answer.contains("alert") || answer.contains("error"))
            }
            #expect(door.bodies.isEmpty)
        }
    }

    @Test func `a reload changes the certificate for new connections, a bad pair changes nothing`()
        async throws
    {
        let authority = try Authority()
        let first = try authority.mint("first")
        let second = try authority.mint("second")
        try await Door.open(
            configured {
                $0.transport = .tls(
                    certificatePath: first.certificatePath,
                    privateKeyPath: first.privateKeyPath
                )
            }
        ) { door in
            try await expect("CN = first", in: connect(door.port, post()))
            for (certificatePath, privateKeyPath) in [
                (second.certificatePath, first.privateKeyPath),
                (second.certificatePath, "/nowhere"), ("/nowhere", second.privateKeyPath),
                (second.privateKeyPath, second.privateKeyPath),
            ] {
                #expect(throws: TLSFailure.self) {
                    try PreparedTLS(
                        certificatePath: certificatePath,
                        privateKeyPath: privateKeyPath
                    )
                }
                try await expect("CN = first", in: connect(door.port, post()))
            }
            door.listener.adopt(
                try PreparedTLS(
                    certificatePath: second.certificatePath,
                    privateKeyPath: second.privateKeyPath
                )
            )
            let answer = try await connect(door.port, post())
            #expect(answer.contains("CN = second") && answer.contains("200 OK"))
        }
    }

    @Test func `a listener does not start with a bad pair`() async throws {
        let authority = try Authority()
        let first = try authority.mint("first")
        let second = try authority.mint("second")
        await #expect(throws: TLSFailure.self) {
            try await Door.open(
                configured {
                    $0.transport = .tls(
                        certificatePath: first.certificatePath,
                        privateKeyPath: second.privateKeyPath
                    )
                }
            ) { _ in }
        }
    }

    @Test func `plain HTTP, garbage and silence on the TLS port are closed`() async throws {
        let authority = try Authority()
        let pair = try authority.mint("first")
        try await Door.open(
            configured {
                $0.transport = .tls(
                    certificatePath: pair.certificatePath,
                    privateKeyPath: pair.privateKeyPath
                )
                $0.limits.handshakeMillisecondsMax = 300
            }
        ) { door in
            for text in [post(), "\u{16}\u{3}\u{1}\u{0}\u{5}hello", ""] {
                let answer = try await exchange(door.port, text)
                #expect(!answer.contains("HTTP/1.1") && !answer.hasSuffix("<timeout>"))
            }
            #expect(door.closed("handshake") == 3)
            try await expect("200 OK", in: connect(door.port, post()))
        }
    }
}
