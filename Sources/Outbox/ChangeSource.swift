import Entitlements
import Methods
import Wire

/// What a courier reads: the journal and the present, as `ChangeReader` has them.
///
/// A test writes one by hand.
protocol ChangeSource {
    var seq: UInt64 { get }
    var now: Moment { get }

    func stretch(after first: UInt64, through last: UInt64) throws(RPCFailure) -> ChangedStretch
    func latest(of user: UserID, after seq: UInt64) throws(RPCFailure) -> StatusChange?
    func state(of user: UserID) throws(RPCFailure) -> StatusChange?
    func states(
        after user: UserID?,
        limit: Int,
        otherThanUnder version: UInt32?
    ) throws(RPCFailure) -> (states: [StatusChange], next: UserID?)
    func erasure(of user: UserID, at seq: UInt64) -> StatusChange
}

extension ChangeReader: ChangeSource {}
