import Glibc

/// A connection that many calls share: bytes out as the socket takes them, replies as they come.
struct Line: ~Copyable {
    private let socket: UnixSocket
    private var unsent: ArraySlice<UInt8> = []
    private var received: FrameBuffer

    init(_ socket: consuming UnixSocket, frameBytesMax: Int) {
        self.socket = socket
        received = FrameBuffer(frameBytesMax: frameBytesMax)
    }

    /// What `poll` is asked for.
    var interest: pollfd {
        let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
        return pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
    }

    /// Sends `frames` after what is unsent, and hands every reply that is there to `deliver`.
    ///
    /// Whatever it throws, nothing more comes over this line.
    mutating func exchange(
        sending frames: [UInt8],
        deliver: (Reply) throws(ClientError) -> Void
    ) throws(ClientError) {
        unsent.append(contentsOf: frames)
        sending: while !unsent.isEmpty {
            switch socket.send(unsent) {
            case .moved(let count): unsent = unsent.dropFirst(count)
            // When the other end is gone, the reading below says so, after its last words.
            case .wouldBlock, .ended: break sending
            }
        }
        while true {
            let transfer = socket.receive(into: &received.bytes)
            while let frame = try received.next() {
                if let reply = try Reply(frame) { try deliver(reply) }
            }
            switch transfer {
            case .moved: continue
            case .wouldBlock: return
            case .ended: throw .connectionLost()
            }
        }
    }
}
