import Entitlements

extension PlayProduct {
    /// The fact that this answer states about the purchase `token`; nil if the state is unknown.
    func fact(of token: PurchaseToken, _ answer: PlayAnswer) -> Fact? {
        let code: StatusCode
        switch state {
        case .purchased: code = .active
        case .pending: code = .pending
        // If a pending payment was cancelled, nothing had been given.
        case .cancelled: code = completed == nil ? .expired : .revoked
        case .unknown: return nil
        }
        let word = AwaitedWord.word(
            stateWord,
            acknowledgement: state == .purchased && isUnacknowledged,
            consumption: state == .purchased ? items.map { !$0.isConsumed } : []
        )
        var fact = Fact(
            snapshotOf: PlayAnswer.key(token, isTest: isTest),
            status: StatusFact(version: answer.version, code, word: word),
            transactions: items.enumerated()
                .map { number, item in
                    var one = transaction(item, number, of: token, answer)
                    if code == .revoked {
                        one.revoked = answer.asked
                        // All of it, whatever was refunded of it before.
                        one.terms.revocationPercentage = nil
                    }
                    return one
                }
        )
        fact.hasDerivedToken = PlayAnswer.isDerived(fromAccount: accountID)
        return fact
    }

    private func transaction(
        _ item: Item,
        _ number: Int,
        of token: PurchaseToken,
        _ answer: PlayAnswer
    ) -> TransactionFact {
        let order = orderID ?? token.text
        var id = number == 0 ? order : "\(order):\(item.productID)"
        if id.utf8.count > PlayLimits.wordBytesMax {
            id = String(id.suffix(PlayLimits.wordBytesMax))
        }
        var one = TransactionFact(
            id: id,
            version: answer.version,
            productID: item.productID,
            purchased: (completed ?? answer.asked).advanced(byMilliseconds: -Int64(number))
        )
        one.kind = TransactionFact.oneTimeKind
        one.reason = "PURCHASE"
        one.token = PlayAnswer.token(ofAccount: accountID)
        one.quantity = item.quantity
        if item.isTakenBackInPart {
            one.revoked = answer.asked
            one.terms.revocationPercentage =
                item.refunded * TransactionFact.wholeShare / item.quantity
        }
        one.terms.variant = item.optionID
        one.terms.offerID = item.offerID
        one.terms.storefront = region
        return one
    }
}

extension PlayProduct {
    /// Whether nothing is left to refund of anything that was bought.
    var isTakenBackWhole: Bool {
        !items.isEmpty && items.allSatisfy { $0.quantity > 0 && $0.refunded >= $0.quantity }
    }
}

extension PlayProduct.Item {
    /// Whether some of several units were refunded, which takes these away.
    ///
    /// A refund without revocation leaves the purchase paid (PURCHASED), with nothing left to
    /// refund: the customer keeps what was bought. If all was taken back, the state is CANCELLED,
    /// or Google lists the purchase as voided, perhaps unit by unit.
    fileprivate var isTakenBackInPart: Bool { refunded > 0 && refunded < quantity }
}
