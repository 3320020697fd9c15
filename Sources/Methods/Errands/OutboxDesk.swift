import Entitlements
import JSON
import Wire

/// The outboxes, as far as methods ask them; the room Outbox fulfils it.
package protocol OutboxDesk: Sendable {
    /// What each of them does: an object of proto/openrpc.json's `outboxes`.
    func states() async -> [JSONObject]

    /// Tells again what is parked in the outbox of this name, or what has this id.
    ///
    /// - Returns: how much is told again, and how much of it stays parked.
    func retry(
        _ name: String,
        _ id: String?
    ) async throws(RPCFailure) -> (retried: Int, stillParked: Int)

    /// Tells the state of every account to the receiver of this name.
    func tellEverything(_ name: String) async throws(RPCFailure)

    /// Gives up what has this id; answers whether there was anything.
    func skip(_ name: String, _ id: String) async throws(RPCFailure) -> Bool

    /// Posts a message that says nothing, now; answers why the receiver did not take it, or nil.
    func test(_ name: String) async throws(RPCFailure) -> String?

    /// Forgets a person who was erased at this position, and tells the receivers; back once that is
    /// on disk.
    ///
    /// - Parameters:
    ///   - users: all ids that the person had: those of merged accounts, too.
    ///   - seq: where the journal has the erasure.
    /// - Returns: whether all outboxes have noted it.
    func erased(_ users: [UserID], at seq: UInt64) async -> ErasureNote
}

/// Whether outboxes noted on disk whom they are to tell of an erasure; of several the last of these
/// counts.
package enum ErasureNote: Int, Comparable, Sendable {
    /// All of them did.
    case kept
    /// The file of one of them could not be written.
    case unwritable
    /// One of them is stopping.
    case stopping

    package static func < (left: ErasureNote, right: ErasureNote) -> Bool {
        left.rawValue < right.rawValue
    }
}
