/// A reply that goes on, piece by piece, until its service or its reader ends it.
///
/// Confined to the event loop of its connection, which it outlives: what is written to nobody is
/// dropped.
package final class HTTPStream {
    /// Called when the kernel has taken all that was written.
    package var onTaken: (() -> Void)?
    /// Called once, when nothing more is taken; then released.
    package var onEnd: (() -> Void)?

    private enum State {
        /// Its head has not gone out yet; what was written waits.
        case waiting([UInt8], isOver: Bool)
        case open(HTTPConnection)
        case over
    }

    private var state = State.waiting([], isOver: false)

    /// A stream, to be returned as the reply to a request.
    package init() {}

    /// Sends `bytes` behind what was written before.
    package func write(_ bytes: [UInt8]) {
        switch state {
        case .waiting(let before, let isOver): state = .waiting(before + bytes, isOver: isOver)
        case .open(let connection): connection.write(bytes)
        case .over: break
        }
    }

    /// Ends the reply behind what was written.
    package func end() {
        switch state {
        case .waiting(let before, _): state = .waiting(before, isOver: true)
        case .open(let connection):
            close()
            connection.endStream()
        case .over: break
        }
    }

    /// Its head has gone out.
    func open(on connection: HTTPConnection) {
        guard case .waiting(let bytes, let isOver) = state else { return }
        state = .open(connection)
        if !bytes.isEmpty { connection.write(bytes) }
        if isOver { end() }
    }

    /// Nobody takes anything more.
    func close() {
        state = .over
        onTaken = nil
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }
}
