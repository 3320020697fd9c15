import Entitlements
import JSON
import Ledger
import Wire

/// A write on its way: what must be looked at first, what is asked of the ledger, what is answered.
struct PendingWrite: Sendable {
    /// Whom it concerns: those of one connection that concern the same keep their order.
    let concern: Concern
    let course: Course

    /// Whom a write concerns, as the request tells it.
    enum Concern: Sendable {
        case user(UserID)
        /// Two at once.
        case users(UserID, UserID)
        /// Whose a reservation is.
        case reservation(UInt64)
        case anybody
    }

    /// Who makes the command and the answer.
    enum Course: Sendable {
        /// This room.
        case command(Preparation, Reply)
        /// The ledger, which takes its time, and holds no thread of this room.
        case handed(Hand)
    }

    /// Calls the first once the command is decided, or never will be, and the second with the
    /// answer.
    typealias Hand =
        @Sendable (
            _ onDecided: @escaping @Sendable () -> Void,
            _ answer: @escaping @Sendable (Result<JSONObject, RPCFailure>) -> Void
        ) -> Void

    /// How the command is made.
    enum Preparation: Sendable {
        /// It is there.
        case ready(Command.Kind)
        /// In a lane, because it takes long: signatures, a search.
        case work(LaneName, @Sendable (LedgerReader) throws(RPCFailure) -> Command.Kind)
        /// By asking somebody else; it is told who asks.
        case ask(@Sendable (Session) async throws(RPCFailure) -> Command.Kind)
    }

    /// How the answer is made.
    enum Reply: Sendable {
        /// From the outcome alone, on the writer's thread; quick.
        case outcome(@Sendable (Receipt) throws(RPCFailure) -> FlatObject)
        /// In the lane of answers, with a reader that sees the outcome.
        case views(@Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject)
    }

    /// A write that is answered by its outcome.
    init(
        of concern: Concern,
        _ kind: Command.Kind,
        reply: @escaping @Sendable (Receipt) throws(RPCFailure) -> FlatObject
    ) {
        self.init(of: concern, preparing: .ready(kind), answering: reply)
    }

    /// A write that is answered by its outcome, whatever its command is made from.
    init(
        of concern: Concern,
        preparing preparation: Preparation,
        answering reply: @escaping @Sendable (Receipt) throws(RPCFailure) -> FlatObject
    ) {
        self.concern = concern
        course = .command(preparation, .outcome(reply))
    }

    /// A write that is answered by what the views say after it.
    init(
        of concern: Concern,
        preparing preparation: Preparation,
        reply: @escaping @Sendable (Receipt, LedgerReader) throws(RPCFailure) -> JSONObject
    ) {
        self.concern = concern
        course = .command(preparation, .views(reply))
    }

    /// A write that is handed to the ledger, which answers it.
    init(of concern: Concern, handing hand: @escaping Hand) {
        self.concern = concern
        course = .handed(hand)
    }
}

extension MethodWorker {
    /// Sends `write` on its way, behind earlier ones of the connection that concern the same user;
    /// the ticket is delivered once it is on disk.
    func later(_ write: PendingWrite, _ answer: LateAnswer) throws(RPCFailure) -> Disposition {
        let service = service
        let ordering = ordering(of: answer.session)
        if case .command(.ready(let kind), let reply) = write.course {
            if try waitsForNothing(write.concern, in: ordering) {
                orders.append(service.order(kind, reply, answer))
                return .later
            }
        }
        let scope = try scope(of: write.concern)
        sendOrders()
        let entered = ordering.enter(scope) { done in
            service.begin(write.course, answer, done)
        }
        guard entered else { throw .overloaded("Too many writes of this connection wait.") }
        return .later
    }

    private func ordering(of session: Session) -> WriteOrdering {
        if let ordering = session.attachment as? WriteOrdering { return ordering }
        let ordering = WriteOrdering()
        session.attachment = ordering
        return ordering
    }

    /// Mostly nothing of the connection is under way, and then nobody asks whom this concerns.
    private func waitsForNothing(
        _ concern: PendingWrite.Concern,
        in ordering: WriteOrdering
    ) throws(RPCFailure) -> Bool {
        if ordering.isEmpty { return true }
        return ordering.isFree(for: try scope(of: concern))
    }

    /// A reservation concerns its user; one that is not found may concern anybody.
    private func scope(
        of concern: PendingWrite.Concern
    ) throws(RPCFailure) -> WriteOrdering.Scope {
        switch concern {
        case .user(let user): return .users([user])
        case .users(let one, let other): return .users([one, other])
        case .anybody: return .anybody
        case .reservation(let id):
            let reader = try awake()
            do throws(LedgerFailure) {
                let row = try reader.row(Array(ReservationName.text(id).utf8), of: .reservations)
                guard case .reservation(_, let reservation) = row?.value else { return .anybody }
                // The row has the name of the account that reserved, which may have been merged.
                return .users([try reader.holder(of: reservation.user)])
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

extension MethodService {
    /// Makes the command of a write and queues it; calls `done` then, or where there will be none.
    fileprivate func begin(
        _ course: PendingWrite.Course,
        _ answer: LateAnswer,
        _ done: @escaping @Sendable () -> Void
    ) {
        switch course {
        case .handed(let hand): hand(done) { answer.deliver($0) }
        case .command(.ready(let kind), let reply):
            submit(kind, reply, answer)
            done()
        case .command(.work(let lane, let make), let reply):
            // Carried out though its session may have ended: it was sent whole.
            let runs = lanes[lane]
                .run(for: answer.session) { reader in
                    do throws(RPCFailure) {
                        self.submit(try make(reader), reply, answer)
                    } catch {
                        answer.deliver(.failure(error))
                    }
                    done()
                }
            guard !runs else { return }
            answer.deliver(.failure(.overloaded("Too much of this kind waits.")))
            done()
        case .command(.ask(let make), let reply):
            Task {
                do throws(RPCFailure) {
                    self.submit(try await make(answer.session), reply, answer)
                } catch {
                    answer.deliver(.failure(error))
                }
                done()
            }
        }
    }

    /// Queues one order, from whatever thread.
    private func submit(
        _ kind: Command.Kind,
        _ reply: PendingWrite.Reply,
        _ answer: LateAnswer
    ) {
        ledger.submit([order(kind, reply, answer)])
    }

    /// The order whose answer becomes that of the request.
    fileprivate func order(
        _ kind: Command.Kind,
        _ reply: PendingWrite.Reply,
        _ answer: LateAnswer
    ) -> WriteOrder {
        WriteOrder(kind, by: Author(answer.session.caller)) { result in
            switch result {
            case .failure(let failure): answer.deliver(.failure(RPCFailure(failure)))
            case .success(let receipt): self.answer(reply, receipt, answer)
            }
        }
    }

    private func answer(_ reply: PendingWrite.Reply, _ receipt: Receipt, _ answer: LateAnswer) {
        switch reply {
        case .outcome(let make):
            let response = answer.response { (reply) throws(RPCFailure) in
                reply.append(try make(receipt))
            }
            replies.add(response, to: answer.ticket)
        case .views(let make):
            let runs = lanes[.answers]
                .run(for: answer.session) { reader in
                    answer.deliver { () throws(RPCFailure) in try make(receipt, reader) }
                }
            // It is on disk all the same; the caller repeats it with the same key.
            if !runs { answer.deliver(.failure(.overloaded("Too many answers wait."))) }
        }
    }
}

extension Receipt {
    /// The `seq` of an answer: of a repetition, that of the first one.
    ///
    /// One that was loaded comes from another journal, and may be no position of this one.
    func position(ofFirst first: UInt64?) -> Int64 { Int64(min(first ?? seq, seq)) }
}
