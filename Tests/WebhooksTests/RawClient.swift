import Foundation
import Glibc
import TestSupport
import Testing

/// A blocking client that sends exactly the bytes it is given.
///
/// Use it on a thread of its own.
final class RawClient {
    private let descriptor: Int32
    private var isOpen = true

    init(port: Int, host: String = "127.0.0.1", receiveSeconds: Int = 8) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        var timeout = timeval(tv_sec: receiveSeconds, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &timeout,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit {
        close()
    }

    func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// False when the other side has gone.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether something can be read, the end included.
    var hasInput: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Says that no more comes.
    func endInput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// What comes until the other side ends, or until `isEnough`; "<timeout>" after a silence.
    func receive(until isEnough: (String) -> Bool = { _ in false }) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { break }
            if count < 0 {
                return String(decoding: bytes, as: UTF8.self)
                    + (errno == ECONNRESET ? "<reset>" : "<timeout>")
            }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Sends `text` at once and gives what comes back until the other side ends.
func exchange(_ port: Int, _ text: String, host: String = "127.0.0.1") async throws -> String {
    try await onThread {
        let client = try RawClient(port: port, host: host)
        client.send(text)
        return client.receive()
    }
}

/// The status of the first answer; nil where there is none.
func status(_ answer: String) -> Int? {
    guard answer.hasPrefix("HTTP/1.1 ") else { return nil }
    return Int(answer.dropFirst(9).prefix(3))
}

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
