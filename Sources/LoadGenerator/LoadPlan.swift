/// What is run: a load, against whom, for how long.
package struct LoadPlan: Sendable {
    /// What is asked, and of whom.
    package enum Load: String, CaseIterable, Sendable {
        case canRender = "can-render"
        case status
        case batch
        case mixed
        case consume
        case churn
        case notifications
        case register
        case purchases
        case grants
        case echo
        case redisGet = "redis-get"
        case redisConsume = "redis-consume"
        case memcachedGet = "memcached-get"
    }

    /// What is asked.
    package var load: Load
    /// Where the server listens.
    package var endpoint: Endpoint
    /// Connections that ask.
    package var connections = 50
    /// Connections that are open and say nothing.
    package var idleConnections = 0
    /// Requests of each connection that wait for their answers.
    package var inFlight = 1
    /// How long is measured.
    package var seconds = 5.0
    /// How long is run before that.
    package var warmUpSeconds = 1.0
    /// Ends earlier after so many requests; 0: when the time is over.
    package var requests = 0
    /// Requests a second in open loop; 0: closed loop.
    package var rate = 0.0
    /// Accounts that requests are spread over.
    package var accounts = 1_000_000
    /// The first of them.
    package var firstAccount = 1
    /// What their user ids look like.
    package var names = AccountNames.Form.numbered
    /// How they are spread.
    package var distribution = KeySequence.Distribution.uniform
    /// The seed of everything random.
    package var seed: UInt64 = 1
    /// Whether this client leaves the processor to another one that measures.
    package var isBackground = false
    /// A number that no earlier run had, for keys that must not come twice.
    package var run: UInt64 = 1
    /// Requests in a batch.
    package var batch = 10
    /// The plan that grants give.
    package var grantedPlan = "paid"
    /// The digest of Redis's script.
    package var script = ""
    /// Where the press's chain is kept.
    package var pressDirectory = "press"
    /// The environment that its documents name, Production or Sandbox.
    package var environment = "Production"
    /// How many notifications are signed before the run.
    package var documents = 20_000
    /// The server's process, to read what it uses; nil: unknown.
    package var server: ServerMeter?

    /// This load against this server, with the defaults for the rest.
    package init(_ load: Load, at endpoint: Endpoint) {
        self.load = load
        self.endpoint = endpoint
    }

    /// Why it cannot be run; nil if it can.
    package var fault: String? {
        if !(1...LoadLimits.connectionsMax).contains(connections) {
            return "connections: 1 to \(LoadLimits.connectionsMax)"
        }
        if !(0...LoadLimits.connectionsMax).contains(idleConnections) {
            return "idle connections: 0 to \(LoadLimits.connectionsMax)"
        }
        if !(1...LoadLimits.inFlightMax).contains(inFlight) {
            return "in flight: 1 to \(LoadLimits.inFlightMax)"
        }
        if !(1...LoadLimits.accountsMax).contains(accounts) {
            return "accounts: 1 to \(LoadLimits.accountsMax)"
        }
        if !(1...LoadLimits.batchMax).contains(batch) {
            return "batch: 1 to \(LoadLimits.batchMax)"
        }
        if seconds <= 0 || warmUpSeconds < 0 || rate < 0 || requests < 0 {
            return "times, rates and counts are not negative"
        }
        if load == .notifications, inFlight != 1 {
            return "notifications: one in flight for each connection, as HTTP/1.1 has it"
        }
        if load == .churn, inFlight != 1 { return "churn: one in flight" }
        if load == .redisConsume, script.utf8.count != 40 {
            return "redis-consume: the script's 40 hexadecimal digits"
        }
        return nil
    }
}
