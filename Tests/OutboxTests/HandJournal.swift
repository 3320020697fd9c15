import Entitlements
import JSON
import Methods
import Wire

@testable import Outbox

/// A journal that a test writes by hand, with a clock that it sets.
final class HandJournal: ChangeSource {
    private(set) var seq: UInt64 = 0
    private(set) var now = Moment(1_767_225_600_000)
    /// How many positions are read at once.
    var stretchMax: UInt64 = 1_024
    /// Up to where the entries are pruned.
    var border: UInt64 = 0
    /// Whether the catalog in force says of everybody what the former one said.
    var isAsBefore = false
    private var changes: [StatusChange] = []
    /// Whom the entry of a position is about.
    private var users: [UInt64: UserID] = [:]
    private var catalogs: [UInt64] = []
    private var states: [UserID: (seq: UInt64, hasAccess: Bool)] = [:]
    /// Whose access the clock has just ended, of which no entry tells yet.
    private var lapsing: Set<UserID> = []

    func pass(_ seconds: Int64) { now = now.advanced(byMilliseconds: seconds * 1_000) }

    /// What a store or an administrator did to a user; where it is not visible no change is told.
    func change(_ user: UserID, access: Bool = true, isVisible: Bool = true) {
        seq += 1
        users[seq] = user
        states[user] = (seq, access)
        if isVisible { changes.append(change(user, seq, at: now, access: access)) }
    }

    /// A loss that time alone made, so many seconds ago; the tick stands here.
    func lapse(_ user: UserID, ago seconds: Int64 = 0) {
        seq += 1
        users[seq] = user
        // Time moves no account's last position.
        states[user] = (states[user]?.seq ?? seq, false)
        let then = now.advanced(byMilliseconds: -seconds * 1_000)
        changes.append(change(user, seq, at: then, access: false, isUncertain: true))
    }

    /// A loss that time alone makes now, before its tick stands anywhere.
    func beginLapse(_ user: UserID) {
        states[user] = (states[user]?.seq ?? seq, false)
        lapsing.insert(user)
    }

    /// Puts a catalog in force under which everybody's status is another one.
    func install() {
        seq += 1
        catalogs.append(seq)
    }

    /// Puts an older copy in its place.
    func rewind(to last: UInt64) {
        seq = last
        changes.removeAll { $0.seq > last }
        users = users.filter { $0.key <= last }
    }

    /// Leaves nothing that says whose anything was.
    func erase(_ user: UserID) {
        seq += 1
        changes.removeAll { $0.user == user }
        users = users.filter { $0.value != user }
        states[user] = nil
    }

    func stretch(after first: UInt64, through last: UInt64) throws(RPCFailure) -> ChangedStretch {
        let end = min(last, first + stretchMax)
        let place = max(first, border)
        let found = place + 1..<max(place, end) + 1
        let installed = catalogs.count(where: found.contains)
        return ChangedStretch(
            changes: changes.filter { found.contains($0.seq) },
            users: Set(found.compactMap { users[$0] }),
            through: max(end, border),
            isTorn: border > first,
            formerCatalog: installed == 1 ? 1 : nil,
            hasSeveralCatalogs: installed > 1
        )
    }

    func latest(of user: UserID, after seq: UInt64) throws(RPCFailure) -> StatusChange? {
        changes.last { $0.user == user && $0.seq > max(seq, border) }
    }

    func state(of user: UserID) throws(RPCFailure) -> StatusChange? {
        states[user]
            .map { state in
                change(
                    user,
                    state.seq,
                    at: now,
                    access: state.hasAccess,
                    isUncertain: lapsing.contains(user),
                    "reconciled"
                )
            }
    }

    func states(
        after user: UserID?,
        limit: Int,
        otherThanUnder version: UInt32?
    ) throws(RPCFailure) -> (states: [StatusChange], next: UserID?) {
        if isAsBefore, version != nil { return ([], nil) }
        let found = states.keys.sorted().filter { next in user.map { $0 < next } ?? true }
            .prefix(limit)
        var page: [StatusChange] = []
        for user in found { if let state = try state(of: user) { page.append(state) } }
        return (page, found.count < limit ? nil : found.last)
    }

    func erasure(of user: UserID, at seq: UInt64) -> StatusChange {
        change(user, seq, at: now, access: false, "erased")
    }

    private func change(
        _ user: UserID,
        _ seq: UInt64,
        at: Moment,
        access: Bool,
        isUncertain: Bool = false,
        _ cause: String = "notification"
    ) -> StatusChange {
        StatusChange(
            user: user,
            seq: seq,
            ordinal: 0,
            at: at,
            params: [
                "seq": .integer(Int64(seq)), "userId": .string(user.description),
                "cause": .string(cause),
                "status": [
                    // A state's is that of the whole journal.
                    "seq": .integer(Int64(cause == "reconciled" ? self.seq : seq)),
                    "catalog": .integer(Int64(catalogs.count)),
                ],
            ],
            hasAccess: access,
            isUncertainLoss: isUncertain
        )
    }
}
