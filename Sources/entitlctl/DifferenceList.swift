import JSON

/// Differences between two statuses of many users, those of one kind counted together.
struct DifferenceList {
    /// Users who differ in the same way.
    private struct Kind {
        var count = 0
        var users: [String] = []
    }

    private var kinds: [String: Kind] = [:]
    /// How many users are named of each kind.
    let examples: Int
    /// How many users were looked at, and how many differ.
    private(set) var users = 0
    private(set) var differing = 0

    init(examples: Int) { self.examples = examples }

    /// Counts users of whom nothing differs.
    mutating func addEqual(_ count: Int) { users += count }

    /// Counts a user, and how they differ.
    mutating func add(_ user: String, _ differences: [String]) {
        users += 1
        if !differences.isEmpty { differing += 1 }
        for difference in differences {
            kinds[difference, default: Kind()].count += 1
            guard kinds[difference]?.users.count ?? 0 < examples else { continue }
            kinds[difference]?.users.append(user)
        }
    }

    /// The most frequent kind first.
    var json: JSONObject {
        [
            "users": .integer(Int64(users)),
            "differing": .integer(Int64(differing)),
            "differences": .array(
                sorted.map { name, kind in
                    [
                        "difference": .string(name), "count": .integer(Int64(kind.count)),
                        "users": .array(kind.users.map { .string($0) }),
                    ]
                }
            ),
        ]
    }

    /// A line for each kind: how many, how they differ, and some users.
    func text(_ verb: String) -> String {
        let rows = sorted.map { name, kind in
            // No tabs: they are shown, not sent, like all that a terminal obeys.
            "\(kind.count)  \(name)  \(kind.users.joined(separator: " "))"
        }
        let sum = "\(differing) of \(users) users \(verb)"
        return ([sum] + rows.map { Terminal.safe($0) }).joined(separator: "\n")
    }

    private var sorted: [(String, Kind)] {
        kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    }
}
