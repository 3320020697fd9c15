import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `watch`: from now on, or from a position of the journal, every change is pushed.
    ///
    /// A second call on one connection takes the place of the first.
    static let watch = Call(
        "watch",
        for: .reader,
        .watch { (worker, params, answer) throws(RPCFailure) in
            let users = try params.users("userIds", under: try worker.awake().policy)
            let from = try params.position("fromSeq")
            let session = answer.session
            guard let hold = session.hold(MethodLimits.watchedBytes(users)) else {
                throw .overloaded("The connections of this caller watch too much.")
            }
            let watchers = worker.service.watchers
            let joining = WatchHub.Joining(
                pusher: watchers.pusher(to: answer.ticket, of: session),
                users: users,
                fromSeq: from,
                hold: hold
            ) { result in
                answer.deliver(result.map { ["seq": .integer(Int64($0))] })
            }
            guard watchers.join(joining) else { throw .overloaded("Too much waits.") }
        }
    )
}

extension MethodLimits {
    /// What the hub keeps for one that watches `users`; nil: everybody.
    static func watchedBytes(_ users: Set<UserID>?) -> Int {
        (users ?? []).reduce(watcherBytes) { $0 + watchedUserBytes + $1.bytes.count }
    }
}

extension ParamsView {
    /// A list of users; nil for everybody.
    fileprivate func users(
        _ name: StaticString,
        under policy: Policy
    ) throws(RPCFailure) -> Set<UserID>? {
        guard let value = value(of: name), !value.isNull else { return nil }
        guard let array = value.array, array.count <= MethodLimits.watchedUsersMax else {
            throw .invalid(name, "is a list of at most \(MethodLimits.watchedUsersMax) users")
        }
        var users: Set<UserID> = []
        for element in array {
            guard let user = element.string.flatMap({ UserID($0) }) else {
                throw .invalid(name, "is a list of user ids of 1 to 256 bytes each")
            }
            users.insert(user.folded(under: policy))
        }
        return users
    }
}
