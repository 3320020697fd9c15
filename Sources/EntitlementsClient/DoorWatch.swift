import AsyncHTTPClient
import Glibc
import JSON
import NIOCore

/// A watch over HTTPS, as long as its connection lasts; for threads that may block.
final class DoorWatch {
    private let reader: EventReader
    private let task: HTTPClient.Task<Void>
    /// The position that the daemon began with, where it was not asked for one.
    private(set) var joinedAt: Int64?
    /// What was read before anybody asked for it.
    private var first: EventReader.Event?

    /// Begins to watch; returns when the daemon has said from which position.
    ///
    /// - Throws: what kept the daemon from answering by `deadline`.
    init(
        _ door: RemoteDoor,
        users: [String]?,
        fromSeq: Int64?,
        until deadline: Deadline
    ) throws(ClientError) {
        reader = try EventReader(door)
        task = try door.watch(users, fromSeq: fromSeq, reader)
        do throws(ClientError) {
            while true {
                if fromSeq != nil, reader.isWatching == true { return }
                // Without a position it begins with a heartbeat, which names one.
                if let event = try reader.take() {
                    joinedAt = event.data["seq"]?.int64
                    if event.name != "heartbeat" { first = event }
                    return
                }
                guard wait(until: deadline, interruptedBy: -1) != .late else { throw .timedOut() }
            }
        } catch {
            task.cancel()
            throw error
        }
    }

    deinit { task.cancel() }

    /// Waits for the next event; nil when a byte came at the descriptor `bell` instead.
    func next(
        until deadline: Deadline,
        interruptedBy bell: Int32
    ) throws(ClientError) -> EventReader.Event? {
        if let event = first.take() { return event }
        while true {
            if let event = try reader.take() { return event }
            switch wait(until: deadline, interruptedBy: bell) {
            case .ready: continue
            case .rung: return nil
            case .late: throw .timedOut()
            }
        }
    }

    private func wait(until deadline: Deadline, interruptedBy bell: Int32) -> UnixSocket.Readiness {
        UnixSocket.waitForInput(at: reader.descriptor, until: deadline, interruptedBy: bell)
    }
}
