import Glibc
import JSON

/// One connection on which one call at a time waits for its reply; for programs that block.
package struct Connection: ~Copyable {
    private let socket: UnixSocket
    private let timeout: Duration
    private let frameBytesMax: Int
    private var received: FrameBuffer
    private var lastID: Int64 = 0

    /// Connects to the socket at `path`; connecting and each call take at most `timeout`.
    package init(
        to path: String,
        timeout: Duration,
        frameBytesMax: Int = ClientLimits.frameBytesMax
    ) throws(ClientError) {
        socket = try UnixSocket.connected(to: path, until: Deadline(after: timeout))
        self.timeout = timeout
        self.frameBytesMax = frameBytesMax
        received = FrameBuffer(frameBytesMax: frameBytesMax)
    }

    /// Calls `method` and waits for its result.
    package mutating func call(
        _ method: String,
        _ parameters: JSONObject = [:]
    ) throws(ClientError) -> JSONValue {
        let deadline = Deadline(after: timeout)
        lastID += 1
        let frame = try Reply.request(
            method,
            parameters,
            id: lastID,
            frameBytesMax: frameBytesMax
        )
        try send(frame, until: deadline)
        while true {
            guard let reply = try Reply(nextFrame(until: deadline)) else { continue }
            // Another id belongs to a call that timed out. Without one it is about the bytes of this
            // call, or about the connection.
            guard reply.id == nil || reply.id == lastID else { continue }
            do {
                return try reply.outcome.get()
            } catch {
                throw reply.id == nil ? error.withUnknownOutcome : error
            }
        }
    }

    /// Waits for the next notification, a frame that answers no call; nil when a byte came at
    /// the descriptor `bell` instead.
    mutating func notification(
        until deadline: Deadline,
        interruptedBy bell: Int32
    ) throws(ClientError) -> JSONObject? {
        while true {
            while let frame = try received.next() {
                if let message = try Reply.notification(frame) { return message }
            }
            switch socket.receive(into: &received.bytes) {
            case .moved: continue
            case .ended: throw .connectionLost()
            case .wouldBlock:
                switch socket.waitForInput(until: deadline, interruptedBy: bell) {
                case .ready: continue
                case .rung: return nil
                case .late: throw .timedOut()
                }
            }
        }
    }

    private func send(_ frame: [UInt8], until deadline: Deadline) throws(ClientError) {
        var rest = frame[...]
        while !rest.isEmpty {
            switch socket.send(rest) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .wouldBlock:
                guard socket.wait(for: POLLOUT, until: deadline) else { throw .timedOut() }
            // The daemon may have said why before it closed, so the reading goes on.
            case .ended: return
            }
        }
    }

    private mutating func nextFrame(until deadline: Deadline) throws(ClientError) -> [UInt8] {
        while true {
            if let frame = try received.next() { return frame }
            switch socket.receive(into: &received.bytes) {
            case .moved: continue
            case .ended: throw .connectionLost()
            case .wouldBlock:
                guard socket.wait(for: POLLIN, until: deadline) else { throw .timedOut() }
            }
        }
    }
}
