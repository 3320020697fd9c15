/// Lets so many pieces of blocking work run at once, each on a thread of its own: the tasks of a
/// test's process share a few threads, and who blocks one keeps the others waiting.
package actor Seats {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) { free = count }

    /// Runs `work` once there is a seat.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        await take()
        defer { leave() }
        return try await onThread(work)
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
