import Entitlements
import Wire

/// What callers show of a store's documents, judged by its storefront.
extension MethodService {
    /// The fact that a purchase document states, if it is genuine; `index` is its place in a list.
    func fact(
        of document: [UInt8],
        renewal: [UInt8]? = nil,
        index: Int? = nil
    ) throws(RPCFailure) -> Fact {
        let store = try judge(of: .purchase)
        switch store.verdict(onPurchase: document, renewal: renewal, at: now()) {
        case .genuine(let fact): return fact
        case .refused(let fault, _):
            throw RPCFailure(
                fault,
                index: index,
                sentence: store.sentence(on: fault, in: .purchase)
            )
        }
    }

    /// The facts that an app receipt states, if it is genuine.
    func facts(ofReceipt text: [UInt8]) throws(RPCFailure) -> [Fact] {
        let store = try judge(of: .receipt)
        switch store.verdict(onReceipt: text, at: now()) {
        case .genuine(let receipt): return receipt.facts
        case .refused(let fault, _):
            throw RPCFailure(fault, sentence: store.sentence(on: fault))
        }
    }

    /// What an app transaction states, if it is genuine.
    func appTransaction(of document: [UInt8]) throws(RPCFailure) -> AppTransaction {
        let store = try judge(of: .appTransaction)
        switch store.verdict(onAppTransaction: document, at: now()) {
        case .genuine(let shown): return shown
        case .refused(let fault, _):
            throw RPCFailure(fault, sentence: store.sentence(on: fault, in: .appTransaction))
        }
    }

    private func judge(of document: ShownDocument) throws(RPCFailure) -> any Storefront {
        guard let store = storefront(showing: document) else { throw RPCFailure(.environment) }
        return store
    }
}

extension MethodWorker {
    /// The tokens that are the user's though nobody registered them: the one that the caller names,
    /// and the derived one.
    func claims(
        _ params: ParamsView,
        of user: UserID,
        under policy: Policy
    ) throws(RPCFailure) -> [Token] {
        let named = try params.signedToken("appAccountToken")
        return [named, service.token(of: user, under: policy)].compactMap { $0 }
    }
}
