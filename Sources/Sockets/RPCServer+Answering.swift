import Synchronization
import Threads

extension RPCServer {
    /// Whether each RPC thread shows within `limit` that it is at work; one that a single request
    /// keeps does not.
    package func isAnswering(
        within limit: Duration = SocketLimits.answerPatience
    ) async -> Bool {
        for loop in loops where !loop.isAsked.exchange(true, ordering: .acquiringAndReleasing) {
            guard loop.mailbox.post(.answer) else {
                loop.isAsked.store(false, ordering: .releasing)
                return false
            }
        }
        let end = ContinuousClock.now + limit
        while loops.contains(where: { $0.isAsked.load(ordering: .acquiring) }) {
            guard ContinuousClock.now < end else { return false }
            do {
                try await Task.sleep(for: .milliseconds(2))
            } catch {
                return false
            }
        }
        return true
    }
}
