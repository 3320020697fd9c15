import Entitlements
import Files
import JSON
import Synchronization
import Telemetry
import TestSupport

@testable import Outbox

/// An outbox without its thread and without a receiver: a test takes its turns and answers its
/// posts.
final class HandOutbox {
    /// A post that was not answered yet.
    struct Post {
        let id: LetterID
        let body: JSONValue
        fileprivate let answer: @Sendable (PostResult) -> Void

        var user: String { body["data"]?["userId"]?.string ?? "" }
        var seq: Int64 { body["data"]?["seq"]?.int64 ?? 0 }
        var cause: String { body["data"]?["cause"]?.string ?? "" }
    }

    /// Where posts lie until the test answers them.
    private final class Pile: Postbox {
        var posts: [Post] = []

        func post(
            _ body: [UInt8],
            _ id: LetterID,
            at now: Moment,
            _ answer: @escaping @Sendable (PostResult) -> Void
        ) {
            let body = (try? JSONValue.parse(body)) ?? .null
            posts.append(Post(id: id, body: body, answer: answer))
        }

        func stop() {}
    }

    /// What the courier's thread would do.
    private final class Later: Sendable {
        let work = Mutex<[@Sendable (Courier) -> Void]>([])
    }

    let journal = HandJournal()
    private(set) var courier: Courier?
    private let scratch: Scratch
    private let settleSeconds: Int
    private var later = Later()
    private var pile = Pile()

    init(settling seconds: Int = 0) throws {
        scratch = try Scratch()
        settleSeconds = seconds
        start()
    }

    /// Begins it, as after a crash: what is not on disk is forgotten.
    func start() {
        pile = Pile()
        let later = Later()
        self.later = later
        courier = Courier(
            ReceiverSettings(
                name: "crm",
                url: "http://127.0.0.1/",
                secrets: [],
                settleSeconds: settleSeconds
            ),
            journal,
            SmallFile("outbox-crm.json", in: scratch.path, bytesMax: OutboxLimits.fileBytesMax),
            pile,
            metrics: Metrics(version: "test", outboxes: ["crm"]),
            report: { _ in },
            later: { work in later.work.withLock { $0.append(work) } }
        )
    }

    /// Lets it do what it would do by now, at most so many rounds; answers the posts under way.
    @discardableResult
    func turn(_ rounds: Int = 100) -> [Post] {
        guard let courier else { return [] }
        for _ in 0..<rounds {
            let work = later.work.withLock { work in
                defer { work = [] }
                return work
            }
            for body in work { body(courier) }
            courier.turn()
            if courier.patience > 0 { break }
        }
        return pile.posts
    }

    /// Lets it note how far it is, which it does now and then.
    func note() {
        journal.pass(1)
        turn()
    }

    /// Answers everything that is under way, and lets it go on.
    func answer(_ result: PostResult = .delivered) { answer { _ in result } }

    /// The same, each as the test says.
    func answer(_ result: (Post) -> PostResult) {
        for post in pile.posts { post.answer(result(post)) }
        pile.posts = []
        turn()
    }

    /// Delivers all that is due; answers what it was.
    func deliverAll() -> [Post] {
        var delivered: [Post] = []
        while true {
            let posts = turn()
            if posts.isEmpty { break }
            delivered += posts
            answer()
        }
        return delivered
    }

    /// The same, of what is due within these hours: a pause lasts one at most.
    func deliverAllWithin(hours: Int) -> [Post] {
        var delivered = deliverAll()
        for _ in 0..<hours {
            journal.pass(3_600)
            delivered += deliverAll()
        }
        return delivered
    }

    /// Refuses everything for more than three days.
    func refuse() {
        for _ in 0..<4 * 24 {
            turn()
            answer(.failed("HTTP 500", waiting: nil))
            journal.pass(3_600)
        }
    }

    /// A member of what `outbox` shows.
    func shown(_ member: String) -> JSONValue? { courier?.state()[member] }
}
