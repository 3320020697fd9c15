import JSON

/// Credits: a key makes each charge safe to repeat.
///
/// Where a call takes a key and gets none it makes one up, sends it with every repetition, and
/// hands it back: in the receipt, or in the `idempotencyKey` of the error.
extension EntitlementsClient {
    /// Spends credits of `userID`.
    ///
    /// - Parameters:
    ///   - userID: The user.
    ///   - amount: How many.
    ///   - idempotencyKey: Names this charge: the same key never charges twice.
    /// - Returns: Whether they were spent; too few is an answer, not an error.
    /// - Throws: `idempotency_mismatch` when the key was used for something else.
    public func consumeCredit(
        of userID: String,
        amount: Int64 = 1,
        idempotencyKey: String? = nil
    ) async throws(ClientError) -> CreditReceipt {
        let key = idempotencyKey ?? IdempotencyKey.fresh()
        var parameters: JSONObject = ["userId": .string(userID)]
        if amount != 1 { parameters["amount"] = .integer(amount) }
        return try await write("consumeCredit", parameters, under: key)
    }

    /// Sets credits of `userID` aside until they are committed, released, or `seconds` have passed.
    ///
    /// - Parameters:
    ///   - amount: How many.
    ///   - userID: The user.
    ///   - seconds: For how long at most.
    ///   - releaseOnDisconnect: Whether they return when the client's connection ends; it is the
    ///     one that all calls of this client share.
    ///   - idempotencyKey: Names this reservation: the same key never reserves twice.
    /// - Returns: The reservation's name, unless there are too few.
    /// - Throws: `idempotency_mismatch` when the key was used for something else.
    public func reserveCredits(
        _ amount: Int64,
        of userID: String,
        for seconds: Int64,
        releaseOnDisconnect: Bool = false,
        idempotencyKey: String? = nil
    ) async throws(ClientError) -> Reservation {
        let key = idempotencyKey ?? IdempotencyKey.fresh()
        var parameters: JSONObject = [
            "userId": .string(userID), "amount": .integer(amount), "ttlSeconds": .integer(seconds),
        ]
        if releaseOnDisconnect { parameters["releaseOnDisconnect"] = true }
        return try await write("reserveCredits", parameters, under: key)
    }

    /// Spends what a reservation holds.
    ///
    /// Doing it again gets the first answer, so the call is repeated after a lost connection.
    ///
    /// - Parameters:
    ///   - reservation: Its name.
    ///   - amount: How many of the held credits; nil for all. The rest returns.
    /// - Returns: How the reservation ended; it may have expired before.
    /// - Throws: `not_found` when there was no such reservation.
    public func commitReservation(
        _ reservation: String,
        amount: Int64? = nil
    ) async throws(ClientError) -> Settlement {
        var parameters: JSONObject = ["reservation": .string(reservation)]
        parameters["amount"] = amount.map { .integer($0) }
        return try await write("commitReservation", parameters)
    }

    /// Gives back what a reservation holds.
    ///
    /// - Returns: How the reservation ended; it may have been committed before.
    /// - Throws: `not_found` when there was no such reservation.
    public func releaseReservation(
        _ reservation: String
    ) async throws(ClientError) -> Settlement {
        let parameters: JSONObject = ["reservation": .string(reservation)]
        return try await write("releaseReservation", parameters)
    }

    /// Puts the charge `consumeKey` back into the buckets that it came from.
    ///
    /// - Parameters:
    ///   - consumeKey: The key of the charge.
    ///   - userID: The user.
    ///   - idempotencyKey: Names this reversal: the same key never puts back twice.
    /// - Returns: Whether there was anything to put back.
    /// - Throws: `not_found` for an unknown charge, `idempotency_mismatch` when the key was used
    ///   for something else.
    public func reverseCredits(
        of consumeKey: String,
        for userID: String,
        idempotencyKey: String? = nil
    ) async throws(ClientError) -> CreditReceipt {
        let key = idempotencyKey ?? IdempotencyKey.fresh()
        let parameters: JSONObject = [
            "userId": .string(userID), "consumeKey": .string(consumeKey),
        ]
        return try await write("reverseCredits", parameters, under: key)
    }
}
