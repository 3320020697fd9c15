import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `restorePurchases`: what a device knows of its user's purchases, as signed transactions and
    /// purchase tokens, or in an app receipt.
    ///
    /// `appAccountToken` names one token as the user's beside the derived one, whatever document
    /// carries it.
    ///
    /// One document that does not verify, or one purchase token that the store does not know, fails
    /// the call, and nothing is applied.
    static let restorePurchases = writing(
        "restorePurchases",
        for: .app,
        taking: [
            "userId", "signedTransactions", "purchaseTokens", "receiptData", "appAccountToken",
        ]
    ) { (worker, params, _) throws(RPCFailure) in
        let policy = try worker.awake().policy
        let user = try params.user(under: policy)
        let claimed = try worker.claims(params, of: user, under: policy)
        let device = try DevicePurchases(params)
        let service = worker.service
        let shown = ShownPurchases()
        let restoring: @Sendable ([Fact]) throws(RPCFailure) -> Command.Kind = {
            (stated) throws(RPCFailure) in
            let facts = try service.facts(of: device) + stated
            // Credits are given by what is shown, and are no subscription.
            shown.note(facts.filter { !$0.isPack(under: policy) })
            return .restore(Restoration(user: user, facts: facts, claimed: claimed))
        }
        return PendingWrite(
            of: .user(user),
            preparing: try worker.preparation(device, restoring),
            reply: { (receipt, reader) throws(RPCFailure) in
                guard case .restored(let results) = receipt.outcome else {
                    throw RPCFailure(receipt.outcome)
                }
                let view = try service.view(of: user, reader)
                return [
                    "entitlement": .object(view.entitlement),
                    "status": .object(view.status),
                    "results": .array(
                        results.compactMap { result in
                            shown.name(of: result.key)
                                .map { name in
                                    [
                                        "originalTransactionId": .string(name),
                                        "outcome": .string(result.outcome.rawValue),
                                    ]
                                }
                        }
                    ),
                ]
            }
        )
    }
}

/// What a device knows of its user's purchases, as an app server passes it on.
private struct DevicePurchases: Sendable {
    /// Base64; nil where none is shown.
    let receipt: [UInt8]?
    let documents: [[UInt8]]
    /// What the store is asked about.
    let tokens: [String]

    init(_ params: ParamsView) throws(RPCFailure) {
        receipt =
            try params.optionalText("receiptData", bytesMax: MethodLimits.receiptTextBytesMax)
            .map { Array($0.utf8) }
        let names: [StaticString] = ["signedTransactions", "purchaseTokens"]
        let given = names.filter { name in params.value(of: name).map { !$0.isNull } ?? false }
        guard receipt == nil || given.isEmpty else {
            throw .invalid("receiptData", "stands alone, without \(given[0])")
        }
        documents =
            try params.texts(
                "signedTransactions",
                bytesMax: MethodLimits.documentBytesMax
            )
            .map { Array($0.utf8) }
        tokens = try params.texts("purchaseTokens", bytesMax: MethodLimits.textBytesMax)
        let max = MethodLimits.documentsMax
        guard receipt != nil || (1...max).contains(documents.count + tokens.count) else {
            throw .invalid("signedTransactions", "and purchaseTokens together are 1 to \(max)")
        }
    }
}

extension MethodWorker {
    /// Documents are verified as they are; the store is asked about each purchase token first.
    fileprivate func preparation(
        _ device: DevicePurchases,
        _ restoring: @escaping @Sendable ([Fact]) throws(RPCFailure) -> Command.Kind
    ) throws(RPCFailure) -> PendingWrite.Preparation {
        guard !device.tokens.isEmpty else {
            return .work(.purchases) { (_) throws(RPCFailure) in try restoring([]) }
        }
        let service = service
        let client = try service.client { $0.hints.contains(.purchaseToken) }
        return .ask { (session) async throws(RPCFailure) in
            let stated = try await client.purchases(behind: device.tokens)
            return try await service.work(in: .purchases, for: session) {
                (_) throws(RPCFailure) in try restoring(stated)
            }
        }
    }
}

extension StoreClient {
    /// What the store states of the purchases with these tokens, in their order; a few are asked
    /// about at a time.
    fileprivate func purchases(behind tokens: [String]) async throws(RPCFailure) -> [Fact] {
        let answers = await withTaskGroup(of: (Int, Result<[Fact], StoreAPIFailure>).self) {
            group in
            var answers = [Result<[Fact], StoreAPIFailure>?](repeating: nil, count: tokens.count)
            var next = 0
            func ask() {
                guard next < tokens.count else { return }
                let place = next
                next += 1
                group.addTask { (place, await self.purchase(behind: tokens[place])) }
            }
            for _ in 0..<MethodLimits.purchasesAskedMax { ask() }
            for await (place, answer) in group {
                answers[place] = answer
                // The others would be asked about for nothing.
                if case .success = answer { ask() }
            }
            return answers
        }
        var facts: [Fact] = []
        for (place, answer) in answers.enumerated() {
            switch answer {
            case .success(let stated): facts += stated
            case .failure(let failure): throw RPCFailure(failure, index: place)
            case nil: continue
            }
        }
        return facts
    }

    private func purchase(behind token: String) async -> Result<[Fact], StoreAPIFailure> {
        do throws(StoreAPIFailure) {
            let answer = try await purchase(
                .purchaseToken(token),
                within: MethodLimits.purchaseMilliseconds
            )
            guard case .stated(let facts) = answer, !facts.isEmpty else {
                return .failure(StoreAPIFailure(.unknown, "nothing is stated"))
            }
            return .success(facts)
        } catch {
            return .failure(error)
        }
    }
}

extension MethodService {
    /// The facts that documents state, if all of them are genuine.
    fileprivate func facts(of device: DevicePurchases) throws(RPCFailure) -> [Fact] {
        if let receipt = device.receipt { return try facts(ofReceipt: receipt) }
        var facts: [Fact] = []
        for (index, document) in device.documents.enumerated() {
            facts.append(try fact(of: document, index: index))
        }
        return facts
    }
}

extension Fact {
    /// Whether it is of a pack of credits.
    fileprivate func isPack(under policy: Policy) -> Bool {
        guard let transaction else { return false }
        return transaction.isConsumable
            || policy.packSize(of: transaction.productName(in: key)) != nil
    }
}

extension ParamsView {
    /// A list of texts; none where it is absent.
    fileprivate func texts(_ name: StaticString, bytesMax: Int) throws(RPCFailure) -> [String] {
        guard let value = value(of: name), !value.isNull else { return [] }
        guard let array = value.array, array.count <= MethodLimits.documentsMax else {
            throw .invalid(name, "is a list of at most \(MethodLimits.documentsMax)")
        }
        var texts: [String] = []
        for element in array {
            guard let text = element.string, (1...bytesMax).contains(text.utf8.count) else {
                throw .invalid(name, "is a list of texts of 1 to \(bytesMax) bytes")
            }
            texts.append(text)
        }
        return texts
    }
}
