import Entitlements
import JSON
import Wire

/// A method as a value: what it is called, who may ask it, what it takes, and how it runs.
///
/// Each stands in its file in `Calls`, and all of them in `Calls.all`; proto/openrpc.json says the
/// same to callers, and a test compares the two.
package struct Call: Sendable, CustomStringConvertible {
    /// Its name on the wire.
    package let name: StaticString
    /// The least role that may ask it.
    package let role: Role
    /// The parameters of a method that writes; others are refused, because a mistyped one must not
    /// change what is meant.
    ///
    /// Nil for reads, which ignore what they do not know.
    package let parameters: [StaticString]?
    /// Whether it is answered before `ready` and while stopping.
    let isAlwaysAnswered: Bool
    let run: Run

    /// How a method comes to its answer.
    enum Run: Sendable {
        /// At once; it appends the whole response.
        case inPlace(
            @Sendable (MethodWorker, RequestView, inout ReplyBuffer) throws(RPCFailure) -> Void
        )
        /// A question about one account: at once where the account is small, else in a lane.
        case question(
            @Sendable (MethodWorker, ParamsView) throws(RPCFailure) -> AccountQuestion
        )
        /// Later, in a lane or by asking somebody else.
        case read(Read)
        /// The same with the server of the store that does it, where the configuration names one.
        case errand(StoreErrand, Errand)
        /// By a command, once that is on disk.
        case write(Write)
        /// It answers by itself, and pushes from then on.
        case watch(
            @Sendable (MethodWorker, ParamsView, LateAnswer) throws(RPCFailure) -> Void
        )
    }

    typealias Read =
        @Sendable (MethodWorker, ParamsView, Session) throws(RPCFailure) -> LateRead
    typealias Errand =
        @Sendable (MethodWorker, ParamsView, Session, any StoreClient) throws(RPCFailure) ->
        LateRead
    typealias Write =
        @Sendable (MethodWorker, ParamsView, Session) throws(RPCFailure) -> PendingWrite

    init(
        _ name: StaticString,
        for role: Role,
        taking parameters: [StaticString]? = nil,
        isAlwaysAnswered: Bool = false,
        _ run: Run
    ) {
        self.name = name
        self.role = role
        self.parameters = parameters
        self.isAlwaysAnswered = isAlwaysAnswered
        self.run = run
    }

    /// Whether it reads accounts, and may be asked for a position of the journal.
    var isRead: Bool {
        if isAlwaysAnswered || parameters != nil { return false }
        switch run {
        case .question, .read, .errand: return true
        // The others say nothing of an account.
        case .inPlace: return description == "canRender" || description == "can"
        case .write, .watch: return false
        }
    }

    /// Its name.
    package var description: String { name.description }
}

// How methods are written down, by how they run.
extension Call {
    /// A method that is answered at once, with an object.
    static func answering(
        _ name: StaticString,
        for role: Role,
        taking parameters: [StaticString]? = nil,
        isAlwaysAnswered: Bool = false,
        _ make: @escaping @Sendable (MethodWorker, ParamsView) throws(RPCFailure) -> JSONObject
    ) -> Call {
        let run = Run.inPlace { (worker, request, reply) throws(RPCFailure) in
            reply.appendResult(try make(worker, request.params), of: request)
        }
        return Call(name, for: role, taking: parameters, isAlwaysAnswered: isAlwaysAnswered, run)
    }

    /// A question about one account that needs no more parameters than the user.
    static func asking(
        _ name: StaticString,
        for role: Role,
        isShort: Bool = true,
        _ reply: @escaping AccountQuestion.Reply
    ) -> Call {
        let question = AccountQuestion(isShort: isShort, reply)
        return Call(name, for: role, .question { (_, _) throws(RPCFailure) in question })
    }

    /// A read that takes its time.
    static func reading(
        _ name: StaticString,
        for role: Role,
        taking parameters: [StaticString]? = nil,
        _ read: @escaping Read
    ) -> Call { Call(name, for: role, taking: parameters, .read(read)) }

    /// A read for which a store is asked, or signs.
    static func errand(
        _ name: StaticString,
        for role: Role,
        asking errand: StoreErrand,
        taking parameters: [StaticString]? = nil,
        _ make: @escaping Errand
    ) -> Call { Call(name, for: role, taking: parameters, .errand(errand, make)) }

    /// A write.
    static func writing(
        _ name: StaticString,
        for role: Role,
        taking parameters: [StaticString],
        _ write: @escaping Write
    ) -> Call { Call(name, for: role, taking: parameters, .write(write)) }
}
