import Entitlements

// What a store is to be asked about, as the journal keeps it:
//
//     1     which store
//     1     1 a transaction, 2 a purchase token, 3 a visit to the payment page, 4 a subscription,
//           5 a withdrawal, 6 one of some units
//     …     its id; of a withdrawal also the order, unless it is of some units, and the moment

extension ByteWriter {
    mutating func announcement(_ value: StoreAnnouncement) {
        integer(value.store.rawValue)
        switch value.hint {
        case .transaction(let id): hint(1, id)
        case .purchaseToken(let id): hint(2, id)
        case .checkoutSession(let id): hint(3, id)
        case .subscription(let id): hint(4, id)
        case .withdrawal(let token, let order, let voided):
            hint(5, token)
            text(order)
            moment(voided)
        case .partialWithdrawal(let token, let voided):
            hint(6, token)
            moment(voided)
        }
    }

    private mutating func hint(_ code: UInt8, _ id: String) {
        integer(code)
        text(id)
    }
}

extension ByteReader {
    mutating func announcement() throws(Malformed) -> StoreAnnouncement {
        guard let store = Store(rawValue: try integer()) else { throw Malformed() }
        let code = try integer(UInt8.self)
        let isLead = code == 1 || code == 3
        let id = isLead ? try lead(in: store) : try purchaseName(in: store)
        let hint: PurchaseHint
        switch code {
        case 1: hint = .transaction(id)
        case 2: hint = .purchaseToken(id)
        case 3: hint = .checkoutSession(id)
        case 4: hint = .subscription(id)
        case 5:
            // The order is what the purchase's transaction is called.
            let order = try transactionID()
            hint = .withdrawal(purchaseToken: id, orderID: order, at: try moment())
        case 6: hint = .partialWithdrawal(purchaseToken: id, at: try moment())
        default: throw Malformed()
        }
        return StoreAnnouncement(store, hint)
    }

    /// What may lead to a purchase of another name.
    private mutating func lead(in store: Store) throws(Malformed) -> String {
        func name(_ id: String) -> NameNotes.Name { .lead(id) }
        return try noted(name, after: 2) { (reader) throws(Malformed) in
            try reader.purchaseName(in: store)
        }
    }

    /// What a purchase may be kept under, in whichever environment: an erasure writes over it.
    private mutating func purchaseName(in store: Store) throws(Malformed) -> String {
        func name(_ environment: StoreEnvironment) -> (String) -> NameNotes.Name {
            { id in
                .subscription(
                    SubscriptionKey(store: store, environment: environment, originalID: id)
                )
            }
        }
        return try noted(name(.production), after: 2) { (reader) throws(Malformed) in
            try reader.noted(name(.sandbox), after: 2) { (reader) throws(Malformed) in
                try reader.text()
            }
        }
    }
}
