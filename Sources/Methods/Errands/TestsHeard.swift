import Entitlements
import Synchronization

/// How many test notifications of each store have arrived since the start.
final class TestsHeard: Sendable {
    private let counts = Mutex<[Store: Int]>([:])

    /// One arrived that was not here before.
    func note(_ store: Store) { counts.withLock { $0[store, default: 0] += 1 } }

    /// Waits for the next one.
    ///
    /// - Parameters:
    ///   - store: whose.
    ///   - seconds: how long at most.
    /// - Returns: whether it came.
    func hears(_ store: Store?, within seconds: Int64) async -> Bool {
        guard let store else { return false }
        let before = count(of: store)
        let end = ContinuousClock.now + .seconds(seconds)
        while count(of: store) == before {
            guard ContinuousClock.now < end else { return false }
            do {
                try await Task.sleep(for: .milliseconds(MethodLimits.testLookMilliseconds))
            } catch {
                return false
            }
        }
        return true
    }

    private func count(of store: Store) -> Int { counts.withLock { $0[store] ?? 0 } }
}
