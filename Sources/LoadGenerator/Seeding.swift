/// Fills a daemon with accounts for a benchmark.
package struct Seeding: Sendable {
    /// How accounts come by their access.
    package enum Access: String, CaseIterable, Sendable {
        /// `verifyPurchase`: each document is signed, and verified by the daemon.
        case purchases
        /// `grantEntitlement` over the admin's socket: faster.
        case grants
        /// None.
        case none
    }

    /// The plan whose accounts are filled, and whose server and chain are used.
    package var plan: LoadPlan
    /// The admin's socket, for grants.
    package var admin: Endpoint?
    /// How they come by access.
    package var access = Access.purchases
    /// One account in so many has access.
    package var period = 2

    /// A seeding of the plan's accounts.
    package init(_ plan: LoadPlan) { self.plan = plan }

    /// Registers all accounts, then gives access; tells each part's result.
    package func run(_ tell: (LoadResult) -> Void) throws(LoadFailure) {
        try step(.register, accounts: plan.accounts, at: plan.endpoint, tell)
        let share = plan.accounts / period
        guard share > 0 else { return }
        switch access {
        case .none: break
        case .purchases: try step(.purchases, accounts: share, at: plan.endpoint, tell)
        case .grants:
            guard let admin else { throw LoadFailure("grants: the admin's socket") }
            try step(.grants, accounts: share, at: admin, tell)
        }
    }

    private func step(
        _ load: LoadPlan.Load,
        accounts: Int,
        at endpoint: Endpoint,
        _ tell: (LoadResult) -> Void
    ) throws(LoadFailure) {
        var part = plan
        part.load = load
        part.endpoint = endpoint
        part.connections = LoadLimits.seedingConnections
        part.inFlight = LoadLimits.seedingInFlight
        part.distribution = .sequential
        part.accounts = accounts
        part.requests = accounts
        part.seconds = LoadLimits.seedingSecondsMax
        part.warmUpSeconds = 0
        part.rate = 0
        let result = try LoadRun.result(of: part)
        tell(result)
        if result.errors + result.overloaded + result.unanswered > 0 {
            throw LoadFailure("\(load.rawValue): not all were taken: \(result.firstError)")
        }
    }
}
