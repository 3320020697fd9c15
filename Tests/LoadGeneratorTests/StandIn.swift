import CLinux
import Glibc
import Synchronization
import TestSupport

/// A server on a Unix socket that answers what a test says: each connection's bytes go to `reply`,
/// which takes whole requests from the front and returns bytes to send.
final class StandIn: Sendable {
    typealias Reply = @Sendable (_ pending: inout [UInt8]) -> [UInt8]

    let path: String
    private let scratch: Scratch
    private let listener: Int32
    private let isStopping = Atomic<Bool>(false)
    // Bytes of a send: small ones make every reply arrive in pieces.
    private let pieceBytes: Int
    private let thread: Mutex<pthread_t?> = Mutex(nil)
    private let reply: Reply
    private let seen = Atomic<Int>(0)

    /// How many connections were accepted.
    var connections: Int { seen.load(ordering: .acquiring) }

    init(pieceBytes: Int = .max, _ reply: @escaping Reply) throws {
        scratch = try Scratch()
        path = scratch.file("s")
        self.pieceBytes = pieceBytes
        self.reply = reply
        listener = linux_unix_socket()
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        // SAFETY: the kernel reads the address during the call.
        let code = withUnsafeBytes(of: &address) { bytes in
            bind(
                listener,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        guard code == 0, listen(listener, 128) == 0 else { throw StandInFailure(errno: errno) }
        var handle = pthread_t()
        let me = Unmanaged.passRetained(self)
        pthread_create(&handle, nil, serveStandIn, me.toOpaque())
        thread.withLock { $0 = handle }
    }

    /// Stops.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        if let handle = thread.withLock({ $0 }) { pthread_join(handle, nil) }
        close(listener)
    }

    fileprivate func serve() {
        var polls = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        var pending: [[UInt8]] = [[]]
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while !isStopping.load(ordering: .acquiring) {
            guard poll(&polls, nfds_t(polls.count), 20) > 0 else { continue }
            if polls[0].revents != 0, case let accepted = linux_accept(listener), accepted >= 0 {
                polls.append(pollfd(fd: accepted, events: Int16(POLLIN), revents: 0))
                pending.append([])
                seen.add(1, ordering: .acquiringAndReleasing)
            }
            for index in 1..<polls.count where polls[index].revents != 0 {
                let count = linux_receive(polls[index].fd, &bytes, bytes.count)
                guard count > 0 else {
                    close(polls[index].fd)
                    polls[index].fd = -1
                    continue
                }
                pending[index] += bytes[..<count]
                send(reply(&pending[index]), to: polls[index].fd)
            }
        }
        for entry in polls.dropFirst() where entry.fd >= 0 { close(entry.fd) }
    }

    private func send(_ answer: [UInt8], to descriptor: Int32) {
        var rest = answer[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieceBytes))
            let sent = Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if errno != EAGAIN {
                return
            } else if isStopping.load(ordering: .acquiring) {
                return
            }
        }
    }
}

struct StandInFailure: Error {
    let errno: Int32
}

private func serveStandIn(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // SAFETY: `StandIn.init` retained itself for this thread alone.
    Unmanaged<StandIn>.fromOpaque(argument).takeRetainedValue().serve()
    return nil
}

/// Takes the whole frames from the front of `pending`; the body of each without its length.
func frames(_ pending: inout [UInt8]) -> [String] {
    var found: [String] = []
    while pending.count >= 4 {
        let length = pending.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard pending.count >= 4 + length else { break }
        found.append(String(decoding: pending[4..<4 + length], as: UTF8.self))
        pending.removeFirst(4 + length)
    }
    return found
}

/// The bytes of a frame.
func frame(_ body: String) -> [UInt8] {
    let length = UInt32(body.utf8.count)
    return withUnsafeBytes(of: length.bigEndian) { Array($0) } + Array(body.utf8)
}
