import Entitlements

// The terms of transactions and renewals. Most of them are absent, so bits say which are there:
//
//     2     which of the parts below, from the lowest bit on
//     …     price (varying) · currency · storefront · group · offer · its period · revocation type
//           · revoked percentage (varying) · previous original id · billing plan
//           · commitment: its own bits in a byte, then period, periods, price (varying), end
//           · app · id of the app transaction · variant · lookup key
//
// and for a renewal one byte of bits, then billing plan · whether the commitment renews · product
// · billing plan · date · price (varying) · end of a pause. A text has a length of one byte.
// Integers that vary are folded to unsigned ones and take a byte for each seven bits, the lowest
// first.

extension ByteWriter {
    mutating func terms(_ value: TransactionTerms, of origin: TransactionOrigin? = nil) {
        bits(
            UInt16.self,
            [
                value.price != nil, value.currency != nil, value.storefront != nil,
                value.group != nil, value.offerID != nil, value.offerPeriod != nil,
                value.revocationType != nil, value.revocationPercentage != nil,
                value.previousOriginalID != nil, value.billingPlan != nil,
                value.commitment != nil, origin != nil, origin?.app != nil,
                origin?.appTransactionID != nil, value.variant != nil, value.lookupKey != nil,
            ]
        )
        if let price = value.price { varying(price) }
        if let currency = value.currency { shortText(currency) }
        if let storefront = value.storefront { shortText(storefront) }
        if let group = value.group { shortText(group) }
        if let offer = value.offerID { shortText(offer) }
        if let period = value.offerPeriod { shortText(period) }
        if let type = value.revocationType { shortText(type) }
        if let percentage = value.revocationPercentage { varying(percentage) }
        if let previous = value.previousOriginalID { shortText(previous) }
        if let plan = value.billingPlan { shortText(plan) }
        if let commitment = value.commitment { self.commitment(commitment) }
        if let app = origin?.app { shortText(app) }
        if let id = origin?.appTransactionID { shortText(id) }
        if let variant = value.variant { shortText(variant) }
        if let key = value.lookupKey { shortText(key) }
    }

    private mutating func commitment(_ value: Commitment) {
        bits(
            UInt8.self,
            [
                value.period != nil, value.periods != nil, value.price != nil,
                value.expires != nil,
            ]
        )
        if let period = value.period { varying(period) }
        if let periods = value.periods { varying(periods) }
        if let price = value.price { varying(price) }
        if let expires = value.expires { moment(expires) }
    }

    mutating func terms(_ value: RenewalTerms) {
        bits(
            UInt8.self,
            [
                value.billingPlan != nil, value.commitmentRenews != nil,
                value.commitmentProductID != nil, value.commitmentBillingPlan != nil,
                value.commitmentRenewalDate != nil, value.commitmentPrice != nil,
                value.resumes != nil,
            ]
        )
        if let plan = value.billingPlan { shortText(plan) }
        if let renews = value.commitmentRenews { flag(renews) }
        if let product = value.commitmentProductID { shortText(product) }
        if let plan = value.commitmentBillingPlan { shortText(plan) }
        if let date = value.commitmentRenewalDate { moment(date) }
        if let price = value.commitmentPrice { varying(price) }
        if let resumes = value.resumes { moment(resumes) }
    }

    /// 0 for nobody; 1, role and uid for a user of the system; 2, role and name for a token.
    mutating func author(_ value: Author?) {
        guard let value else { return integer(UInt8(0)) }
        switch value.name {
        case .uid(let uid):
            integer(UInt8(1))
            integer(value.role.rawValue)
            integer(uid)
        case .token(let name):
            integer(UInt8(2))
            integer(value.role.rawValue)
            shortText(name)
        }
    }

    private mutating func bits<Value: FixedWidthInteger>(_ type: Value.Type, _ flags: [Bool]) {
        var bits: Value = 0
        for (place, flag) in flags.enumerated() where flag { bits |= 1 << Value(place) }
        integer(bits)
    }

    /// A length of one byte, then the bytes.
    mutating func shortText(_ value: String) {
        precondition(value.utf8.count <= Int(UInt8.max), "texts are bounded at the door")
        integer(UInt8(value.utf8.count))
        for byte in value.utf8 { integer(byte) }
    }

    /// Small integers in few bytes, of either sign.
    mutating func varying(_ value: Int64) {
        number(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// The same for what has no sign.
    mutating func number(_ value: UInt64) {
        var rest = value
        while rest > 0x7f {
            integer(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        integer(UInt8(rest))
    }
}

extension ByteReader {
    /// The terms of a transaction of the purchase `key`.
    mutating func terms(
        of key: SubscriptionKey
    ) throws(Malformed) -> (TransactionTerms, TransactionOrigin?) {
        let bits = try integer(UInt16.self)
        func has(_ place: UInt16) -> Bool { bits & 1 << place != 0 }
        var terms = TransactionTerms()
        if has(0) { terms.price = try varying() }
        if has(1) { terms.currency = try shortText() }
        if has(2) { terms.storefront = try shortText() }
        if has(3) { terms.group = try shortText() }
        if has(4) { terms.offerID = try shortText() }
        if has(5) { terms.offerPeriod = try shortText() }
        if has(6) { terms.revocationType = try shortText() }
        if has(7) { terms.revocationPercentage = try varying() }
        if has(8) {
            let name = { NameNotes.Name.previous(SubscriptionKey(key, originalID: $0)) }
            terms.previousOriginalID = try noted(name, after: 1) { (reader) throws(Malformed) in
                try reader.shortText()
            }
        }
        if has(9) { terms.billingPlan = try shortText() }
        if has(10) { terms.commitment = try commitment() }
        var origin: TransactionOrigin?
        if has(11) {
            origin = TransactionOrigin(app: nil, appTransactionID: nil)
        } else if has(12) || has(13) {
            throw Malformed()
        }
        if has(12) { origin?.app = try shortText() }
        if has(13) {
            origin?.appTransactionID = try noted(NameNotes.Name.transaction, after: 1) {
                (reader) throws(Malformed) in try reader.shortText()
            }
        }
        if has(14) { terms.variant = try shortText() }
        if has(15) { terms.lookupKey = try shortText() }
        return (terms, origin)
    }

    private mutating func commitment() throws(Malformed) -> Commitment {
        let bits = try integer(UInt8.self)
        guard bits < 1 << 4 else { throw Malformed() }
        return Commitment(
            period: bits & 1 != 0 ? try varying() : nil,
            periods: bits & 2 != 0 ? try varying() : nil,
            price: bits & 4 != 0 ? try varying() : nil,
            expires: bits & 8 != 0 ? try moment() : nil
        )
    }

    mutating func renewalTerms() throws(Malformed) -> RenewalTerms {
        let bits = try integer(UInt8.self)
        guard bits < 1 << 7 else { throw Malformed() }
        var terms = RenewalTerms()
        if bits & 1 != 0 { terms.billingPlan = try shortText() }
        if bits & 2 != 0 { terms.commitmentRenews = try flag() }
        if bits & 4 != 0 { terms.commitmentProductID = try shortText() }
        if bits & 8 != 0 { terms.commitmentBillingPlan = try shortText() }
        if bits & 16 != 0 { terms.commitmentRenewalDate = try moment() }
        if bits & 32 != 0 { terms.commitmentPrice = try varying() }
        if bits & 64 != 0 { terms.resumes = try moment() }
        return terms
    }

    mutating func author() throws(Malformed) -> Author? {
        let form = try integer(UInt8.self)
        if form == 0 { return nil }
        guard let role = Author.Role(rawValue: try integer()) else { throw Malformed() }
        switch form {
        case 1: return Author(role, .uid(try integer()))
        case 2: return Author(role, .token(try shortText()))
        default: throw Malformed()
        }
    }

    mutating func shortText() throws(Malformed) -> String {
        let count = try integer(UInt8.self)
        return try string(try take(Int(count)))
    }

    mutating func varying() throws(Malformed) -> Int64 {
        let folded = try number()
        return Int64(bitPattern: folded >> 1) ^ -Int64(folded & 1)
    }

    /// A number that was written in the shortest way.
    mutating func number() throws(Malformed) -> UInt64 {
        var number: UInt64 = 0
        for place in UInt64(0)..<10 {
            let byte = try integer(UInt8.self)
            // The tenth byte has the highest bit alone, and no number ends with an empty byte.
            if place == 9, byte > 1 { throw Malformed() }
            if place > 0, byte == 0 { throw Malformed() }
            number |= UInt64(byte & 0x7f) << (7 * place)
            if byte < 0x80 { return number }
        }
        throw Malformed()
    }
}
