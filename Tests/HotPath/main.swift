// The hot path on one thread and without a socket, so that instructions can be counted: see
// contrib/bench/instructions.sh, which counts within `measure` alone.
//
// usage: HotPath DIRECTORY fill|canRender|getStatus|prefetch|consumeCredit [tokens]
//        HotPath DIRECTORY rows COUNT CHARGES       a store of which contrib/bench/rows.py measures
//        HotPath DIRECTORY burdened                 how long the heaviest accounts take
//
// With `tokens` a user id is its own token, everybody bought in the sandbox, and that lets in some:
// an answer depends on who asks.

import Entitlements
import Glibc
import Ledger
import Methods
import Telemetry
import Threads
import Wire

let accounts = 2_000
/// Requests that a wake-up finds, as with sixteen in flight.
let perWakeUp = 16

/// Whether an answer depends on who asks.
let idsAreTokens = CommandLine.arguments.dropFirst(3).first == "tokens"

func openLedger() throws -> Ledger {
    var source = Policy.Source()
    source.freeCredits = 3
    if idsAreTokens {
        source.userIDIsToken = true
        source.environments = [.production, .sandbox]
        source.sandboxAccess = .listed(Set((0..<accounts / 2).compactMap { UserID(name($0)) }))
    }
    let options = Ledger.Options(directory: CommandLine.arguments[1], mapSizeGiB: 1)
    return try Ledger.open(options, source: source) { fatalError("the writer gave up: \($0)") }
}

/// An id of 36 bytes, as most apps have them, in no order.
func name(_ account: Int) -> String {
    let digits = String((UInt64(account) &* 0x9E37_79B9_7F4A_7C15) >> 16, radix: 16)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    return "5eed5eed-0000-4000-8000-\(padded)"
}

/// Registers everybody, and leaves nothing in memory: what is measured comes from the views.
///
/// All together, so that they are stored at once and the tree has the same shape each time.
func fill() throws {
    let ledger = try openLedger()
    ledger.submit(
        (0..<accounts)
            .map { account in
                guard let user = UserID(name(account)), let token = Token(name(account)) else {
                    fatalError("\(name(account)) is no user id")
                }
                return WriteOrder(.register(Registration(user: user, token: token))) { result in
                    guard case .success = result else { fatalError("\(result)") }
                }
            }
    )
    if idsAreTokens { buyInTheSandbox(ledger) }
    ledger.stop()
}

/// Gives every account a subscription of the sandbox.
func buyInTheSandbox(_ ledger: Ledger) {
    let now = Moment(1_000 * Int64(time(nil)))
    ledger.submit(
        (0..<accounts)
            .map { account in
                let digest = Digest256(0, 0, 0, UInt64(account))
                let id = String(account)
                var fact = TransactionFact(
                    id: id,
                    version: Version(signed: now, digest: digest),
                    productID: "monthly",
                    purchased: now
                )
                fact.expires = now.advanced(byMilliseconds: 30 * 86_400_000)
                fact.kind = "Auto-Renewable Subscription"
                fact.token = Token(name(account))
                let key = SubscriptionKey(
                    store: .appStore,
                    environment: .sandbox,
                    originalID: id
                )
                return WriteOrder(.learn([Fact(key: key, transaction: fact)])) { result in
                    guard case .success = result else { fatalError("\(result)") }
                }
            }
    )
}

/// Takes what is delivered later.
final class Outlet: ReplyOutlet {
    let deliveries = BlockingQueue<Delivery>(countMax: accounts)

    func post(_ deliveries: [Delivery]) {
        for delivery in deliveries { _ = self.deliveries.offer(delivery) }
    }
}

/// Frames of `method` about every account, in wake-ups.
func makeWakeUps(_ method: String) -> [[[UInt8]]] {
    let frames = (0..<accounts)
        .map { account in
            let more =
                method == "consumeCredit" ? #","amount":1,"idempotencyKey":"\#(account)""# : ""
            let params = #"{"userId":"\#(name(account))"\#(more)}"#
            return Array(
                #"{"jsonrpc":"2.0","id":\#(account),"method":"\#(method)","params":\#(params)}"#
                    .utf8
            )
        }
    return stride(from: 0, to: accounts, by: perWakeUp)
        .map { Array(frames[$0..<min($0 + perWakeUp, accounts)]) }
}

struct Bench: ~Copyable {
    var driver: FrameDriver
    var conversation: Conversation
    var reply = ReplyBuffer()

    mutating func answer(_ wakeUps: [[[UInt8]]]) {
        for frames in wakeUps {
            for frame in frames {
                _ = frame.withUnsafeBytes { driver.answer($0, of: &conversation, into: &reply) }
            }
            guard reply.written.count > frames.count * 64 else { fatalError("no replies") }
            reply.removeAll()
            driver.worker.rest()
        }
    }

    /// Charges are decided by the writer, a wake-up's worth in one group.
    mutating func charge(_ wakeUps: [[[UInt8]]], _ outlet: Outlet) {
        for frames in wakeUps {
            for frame in frames {
                _ = frame.withUnsafeBytes { driver.answer($0, of: &conversation, into: &reply) }
            }
            driver.worker.rest()
            var missing = frames.count
            while missing > 0 {
                for delivery in outlet.deliveries.take(missing) ?? [] {
                    driver.take(delivery, for: &conversation, into: &reply)
                    missing -= 1
                }
            }
            let charged = String(decoding: reply.written, as: UTF8.self)
            guard charged.split(separator: #""consumed""#).count == frames.count + 1 else {
                fatalError(charged)
            }
            reply.removeAll()
        }
    }

    mutating func prefetch(_ wakeUps: [[[UInt8]]]) {
        for frames in wakeUps {
            let bytes = Array(frames.joined())
            bytes.withUnsafeBytes { bytes in
                driver.worker.noteKeys(in: bytes)
                driver.worker.prefetch()
            }
            driver.worker.rest()
        }
    }
}

@inline(never)
func measure(_ work: () -> Void) { work() }

let method = CommandLine.arguments[2]
if method == "rows" {
    let count = Int(CommandLine.arguments[3]) ?? 0
    try RowStore(CommandLine.arguments[1], count: count)
        .fill(charges: Int(CommandLine.arguments[4]) ?? 0)
    exit(0)
}
if method == "burdened" {
    try measureBurdened(CommandLine.arguments[1])
    exit(0)
}
if method == "fill" {
    try fill()
    exit(0)
}
let outlet = Outlet()
let ledger = try openLedger()
let service = try MethodService(
    Calls.all,
    ledger: ledger,
    storefronts: [],
    settings: MethodSettings(tokenNamespace: "entitld", frameBytesMax: 1 << 20, version: "0"),
    metrics: Metrics(version: "0")
)
service.phase = .serving
var bench = Bench(
    driver: FrameDriver(worker: service.makeWorker(), outlet: outlet, frameBytesMax: 1 << 20),
    conversation: Conversation(
        session: Session(caller: Caller(uid: 0, gid: 0, pid: 0, role: .app)),
        connection: 0
    )
)
let wakeUps = makeWakeUps(method == "prefetch" ? "canRender" : method)
if method == "consumeCredit" {
    measure { bench.charge(wakeUps, outlet) }
} else {
    // Once before, so that nothing is counted that happens only once.
    bench.answer(wakeUps)
    bench.prefetch(wakeUps)
    measure { if method == "prefetch" { bench.prefetch(wakeUps) } else { bench.answer(wakeUps) } }
}
print(accounts)
