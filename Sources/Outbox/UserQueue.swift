import Entitlements

/// Users in the order in which they came, each once; any of them can leave at once.
struct UserQueue {
    private var members: Set<UserID> = []
    private var order: [UserID] = []
    /// Where the next one stands; what is before has left.
    private var start = 0

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    /// Adds one at the end, unless they wait already.
    mutating func add(_ user: UserID) {
        if members.insert(user).inserted { order.append(user) }
    }

    mutating func remove(_ user: UserID) { members.remove(user) }

    /// Takes out the first one.
    mutating func next() -> UserID? {
        while start < order.count {
            let user = order[start]
            start += 1
            if start > 64, start * 2 > order.count {
                order.removeFirst(start)
                start = 0
            }
            if members.remove(user) != nil { return user }
        }
        return nil
    }
}
