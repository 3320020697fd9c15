import Glibc
import JSON

/// A blocking client that waits at most twenty seconds for anything.
final class TestClient {
    let descriptor: Int32
    private var held: [UInt8] = []
    private var isOpen = true

    init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
        let code = withUnsafePointer(to: &address) { address in
            // SAFETY: every sockaddr_un begins as a sockaddr does.
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if code != 0 {
            disconnect()
            return nil
        }
    }

    deinit { disconnect() }

    func disconnect() {
        if isOpen { close(descriptor) }
        isOpen = false
    }

    /// Sends everything; false if the other side no longer takes it.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...]
                .withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func sendFrame(_ body: String) { send(Self.frame(body)) }

    static func frame(_ body: String) -> [UInt8] {
        let length = UInt32(body.utf8.count)
        return [
            UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255),
            UInt8(length & 255),
        ]
            + Array(body.utf8)
    }

    static func ping(_ id: Int) -> [UInt8] {
        frame("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"ping\"}")
    }

    /// The body of the next reply; nil at the end of the stream, or when nothing comes.
    func receive() -> String? {
        guard fill(to: 4) else { return nil }
        let length = held[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard fill(to: 4 + length) else { return nil }
        defer { held.removeFirst(4 + length) }
        return String(decoding: held[4..<4 + length], as: UTF8.self)
    }

    /// Reads and drops what has arrived; returns how many bytes that were.
    func receivedAtOnce() -> Int {
        var piece = [UInt8](repeating: 0, count: 65_536)
        var sum = 0
        while true {
            let received = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
            guard received > 0 else { return sum }
            sum += received
        }
    }

    func receiveValue() -> JSONValue? {
        receive().flatMap { try? JSONValue.parse(Array($0.utf8)) }
    }

    /// Whether the other side has closed, everything before that being read.
    func isAtEnd() -> Bool {
        var byte: UInt8 = 0
        return held.isEmpty && recv(descriptor, &byte, 1, 0) <= 0 && errno != EAGAIN
    }

    func ask(_ method: String, _ id: Int = 1, params: String = "{}") -> JSONValue? {
        sendFrame(
            "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}"
        )
        return receiveValue()
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func fill(to count: Int) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while held.count < count {
            let received = recv(descriptor, &piece, piece.count, 0)
            guard received > 0 else { return false }
            held.append(contentsOf: piece[..<received])
        }
        return true
    }
}
