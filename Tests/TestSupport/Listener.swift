import Foundation
import Synchronization

/// A listening socket that serves each connection on a thread of its own.
///
/// A descriptor is closed by the thread that uses it, and shut down only as long as that thread has
/// it: the number of a closed one may already belong to another test.
package final class Listener: Sendable {
    private struct State {
        var open: Set<Int32> = []
        var count = 0
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Takes over a socket, which listens before `start`.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// How many connections were made.
    package var connectionCount: Int { state.withLock { $0.count } }

    /// How many of them are open.
    package var openConnectionCount: Int { state.withLock { $0.open.count } }

    /// Begins to accept; `serve` gets each connection and its number, from 1 on, and returns where
    /// the connection is to end.
    package func start(_ serve: @escaping @Sendable (_ connection: Int32, _ number: Int) -> Void) {
        Thread { self.accept(serve) }.start()
    }

    /// Ends everything.
    package func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            for one in state.open.union([descriptor]) { shutdown(one, Int32(SHUT_RDWR)) }
        }
    }

    /// Sends all of `bytes`; false where the other end is gone.
    @discardableResult
    package static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    private func accept(_ serve: @escaping @Sendable (Int32, Int) -> Void) {
        while let (connection, number) = next() {
            Thread {
                serve(connection, number)
                self.state.withLock { state in
                    state.open.remove(connection)
                    Glibc.close(connection)
                }
            }
            .start()
        }
        state.withLock { state in
            state.isClosed = true
            Glibc.close(descriptor)
        }
    }

    private func next() -> (connection: Int32, number: Int)? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        return state.withLock { state in
            guard !state.isClosed else {
                Glibc.close(connection)
                return nil
            }
            state.open.insert(connection)
            state.count += 1
            return (connection, state.count)
        }
    }
}
