/// What an outbox says to whoever keeps the log; the first text is always its name.
package enum OutboxNotice: Sendable {
    /// Nothing goes through to the receiver, and why the last post did not.
    case receiverDown(String, String)
    /// Something went through again.
    case receiverUp(String)
    /// A change was given up after three days: its id, and why it was not delivered.
    case parked(String, String, String)
    /// So many changes of users whose posts fail were given up before, for others' sake.
    case parkedForRoom(String, Int)
    /// The states of users are told, because the journal does not say what changed.
    case retelling(String)
    /// The file that says how far it is cannot be read.
    case recordUnreadable(String)
    /// It cannot be written; what is delivered meanwhile is delivered again after a restart.
    case recordUnsaved(String, errno: Int32)
}
