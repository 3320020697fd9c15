// LoadGenerator puts load on a daemon, or on a server beside which it is measured, and takes times.
//
// In reading order:
//   LoadPlan          what is run, against whom, for how long
//   LoadRun           below: chooses the peer and runs the plan
//   LoadLoop          one thread, many connections; LoadConnection is one
//   Peer              how a request is written and where a reply ends; the folder Peers has them
//   LatencyHistogram  how long replies took; LoadResult is what is printed
//   KeySequence       which accounts are asked about; AccountNames what they are called
//   DocumentPress     signs purchases and notifications to send
//   WatchCrowd        many who watch; ExpiryWatch how late they hear
//
// Its laws:
//   1. Memory for requests and replies is taken before the run.
//   2. A lost connection, and a reply that nobody asked for, end the run.
//
// It never imports what it measures: it speaks over the socket.

import CLinux

/// Runs a plan: chooses the peer, and the loop does the rest.
package enum LoadRun {
    /// What the run has measured.
    package static func result(of plan: LoadPlan) throws(LoadFailure) -> LoadResult {
        if let fault = plan.fault { throw LoadFailure(fault) }
        // Two clients on one core: the one that measures must not wait for the other's turn.
        if plan.isBackground { linux_thread_nice(5) } else { linux_thread_slice(100) }
        linux_thread_punctual()
        let accounts = KeySequence(
            plan.distribution,
            first: plan.firstAccount,
            count: plan.accounts,
            seed: plan.seed
        )
        switch plan.load {
        case .canRender, .churn: return try run(plan, QuestionPeer.canRender(accounts), accounts)
        case .status: return try run(plan, QuestionPeer.status(accounts), accounts)
        case .batch:
            return try run(plan, QuestionPeer.batches(of: plan.batch, accounts), accounts)
        case .mixed: return try run(plan, ConsumePeer(run: plan.run, period: 20), accounts)
        case .consume: return try run(plan, ConsumePeer(run: plan.run, period: 1), accounts)
        case .register: return try run(plan, RegisterPeer(), accounts)
        case .echo: return try run(plan, EchoPeer(accounts), accounts)
        case .redisGet: return try run(plan, RedisGetPeer(), accounts)
        case .memcachedGet: return try run(plan, MemcachedPeer(), accounts)
        case .redisConsume:
            return try run(plan, RedisConsumePeer(run: plan.run, script: plan.script), accounts)
        case .grants:
            return try run(plan, GrantPeer(run: plan.run, plan: plan.grantedPlan), accounts)
        case .purchases:
            let press = try DocumentPress(
                directory: plan.pressDirectory,
                environment: plan.environment
            )
            return try run(plan, PurchasePeer(press), accounts)
        case .notifications:
            return try run(plan, NotificationPeer(try payloads(of: plan)), accounts)
        }
    }

    /// Signs the notifications of a plan: each for another account, as long as there are such.
    package static func payloads(of plan: LoadPlan) throws(LoadFailure) -> [String] {
        let press = try DocumentPress(
            directory: plan.pressDirectory,
            environment: plan.environment
        )
        var accounts = KeySequence(
            .scattered,
            first: plan.firstAccount,
            count: plan.accounts,
            seed: plan.seed
        )
        return (0..<plan.documents).map { _ in press.renewal(of: accounts.next(), run: plan.run) }
    }

    private static func run(
        _ plan: LoadPlan,
        _ peer: some Peer,
        _ accounts: KeySequence
    ) throws(LoadFailure) -> LoadResult {
        var loop = try LoadLoop(plan, peer, accounts)
        return try loop.run()
    }
}
