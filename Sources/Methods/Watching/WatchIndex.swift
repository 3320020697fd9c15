import Entitlements

/// Who hears of which user.
///
/// Each id is kept once, however many watch it.
struct WatchIndex {
    /// Those who hear of one user.
    enum Listeners {
        case one(Watcher)
        case many(Set<Watcher>)

        func visit(_ body: (Watcher) -> Void) {
            switch self {
            case .one(let watcher): body(watcher)
            case .many(let watchers): for watcher in watchers { body(watcher) }
            }
        }
    }

    private var listeners: [UserID: Listeners] = [:]

    /// How many users are watched.
    var count: Int { listeners.count }

    /// Nil where nobody watches `user`.
    func listeners(of user: UserID) -> Listeners? { listeners[user] }

    /// Lets `watcher` hear of `users`, and gives it their ids as they are kept here.
    mutating func insert(_ watcher: Watcher, for users: Set<UserID>) {
        var kept: [UserID] = []
        kept.reserveCapacity(users.count)
        for user in users {
            guard let place = listeners.index(forKey: user) else {
                kept.append(user)
                listeners[user] = .one(watcher)
                continue
            }
            kept.append(listeners[place].key)
            switch listeners.values[place] {
            case .one(let other): listeners.values[place] = .many([other, watcher])
            case .many(var watchers):
                // Taken out, so that it is changed in place.
                listeners.values[place] = .one(watcher)
                watchers.insert(watcher)
                listeners.values[place] = .many(watchers)
            }
        }
        watcher.users = kept
    }

    /// Ends what `insert` began.
    mutating func remove(_ watcher: Watcher) {
        for user in watcher.users {
            guard let place = listeners.index(forKey: user) else { continue }
            switch listeners.values[place] {
            case .one(let only): if only === watcher { listeners.remove(at: place) }
            case .many(var watchers):
                listeners.values[place] = .one(watcher)
                watchers.remove(watcher)
                if watchers.count == 1, let only = watchers.first {
                    listeners.values[place] = .one(only)
                } else {
                    listeners.values[place] = .many(watchers)
                }
            }
        }
        watcher.users = []
        // By itself a dictionary never becomes smaller.
        if listeners.capacity > 4 * max(listeners.count, 256) {
            listeners = Dictionary(uniqueKeysWithValues: listeners.map { ($0.key, $0.value) })
        }
    }
}

extension Watcher: Hashable {
    static func == (left: Watcher, right: Watcher) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
