import Forgery
import Foundation
import TestSupport

/// A client that checks certificates: the openssl program, which shares no code with the listener.
enum TLSClient {
    /// What it and the other side said.
    struct Talk {
        let text: String
        let exitCode: Int32

        /// The status of the answer; nil where none came.
        var status: Int? {
            guard let start = text.range(of: "HTTP/1.1 ")?.upperBound else { return nil }
            return Int(text[start...].prefix(3))
        }

        /// Whether the certificate was the one that was expected.
        var isTrusted: Bool { text.contains("Verify return code: 0 (ok)") }
    }

    /// Posts `body` as Apple would, trusting the root in `rootPath` alone.
    static func post(
        _ body: [UInt8],
        port: UInt16,
        trusting rootPath: String,
        path: String = "/webhooks/apple",
        token: String? = nil,
        _ more: [String] = []
    ) throws -> Talk {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let head =
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + authorization
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments =
            [
                "s_client", "-connect", "127.0.0.1:\(port)", "-ign_eof", "-CAfile", rootPath,
                "-verify_hostname", "localhost", "-servername", "localhost",
                "-verify_return_error",
            ] + more
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try? input.fileHandleForWriting.write(contentsOf: Data(head.utf8) + Data(body))
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Talk(
            text: String(decoding: said, as: UTF8.self),
            exitCode: process.terminationStatus
        )
    }
}

/// A certificate, its key and the root that vouches for it, as files.
struct TLSFiles {
    let certificate: String
    let key: String
    let root: String

    /// Mints them for `localhost` into `scratch`.
    init(_ name: String, in scratch: Scratch) throws {
        let minted = try TLSChain(
            host: "localhost",
            now: Int64(Date().timeIntervalSince1970 * 1000)
        )
        certificate = try scratch.write(minted.certificatePEM, to: "\(name).pem")
        key = try scratch.write(minted.keyPEM, to: "\(name).key")
        root = try scratch.write(minted.rootPEM, to: "\(name)-root.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }

    /// The members of the webhook section.
    var setting: String { "tls: { certificateFile: \(certificate), privateKeyFile: \(key) }" }

    /// Puts the content of `other` in the place of this one's.
    func replace(by other: TLSFiles) throws {
        for (place, content) in [(certificate, other.certificate), (key, other.key)] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: content))
            try bytes.write(to: URL(fileURLWithPath: place))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    }
}
