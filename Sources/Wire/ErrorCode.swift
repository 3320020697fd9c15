/// Every error code there is; `proto/errors.json` says the same.
package enum ErrorCode: Int, CaseIterable, Sendable {
    /// Not JSON.
    case parseError = -32_700
    /// JSON, but not a request.
    case invalidRequest = -32_600
    /// No such method.
    case methodNotFound = -32_601
    /// Parameters that the method does not take.
    case invalidParams = -32_602
    /// The daemon's own fault.
    case internalError = -32_603
    /// The caller's role does not include the method.
    case permissionDenied = -32_001
    /// Still starting, or the clock has just jumped.
    case notReady = -32_002
    /// Stopping.
    case shuttingDown = -32_003
    /// No space to keep what a write changes.
    case storageFull = -32_010
    /// A document that does not verify.
    case verificationFailed = -32_020
    /// The purchase, or the token, is another user's.
    case ownershipConflict = -32_021
    /// What the caller claims differs from what is signed.
    case claimMismatch = -32_022
    /// The key was used with other arguments.
    case idempotencyMismatch = -32_023
    /// Nothing by that name is kept.
    case notFound = -32_024
    /// More than can be taken now.
    case overloaded = -32_029
    /// The position that a read asks for is not reflected yet.
    case behind = -32_031

    /// What `data.code` says.
    package var name: String {
        switch self {
        case .parseError: "parse_error"
        case .invalidRequest: "invalid_request"
        case .methodNotFound: "method_not_found"
        case .invalidParams: "invalid_params"
        case .internalError: "internal_error"
        case .permissionDenied: "permission_denied"
        case .notReady: "not_ready"
        case .shuttingDown: "shutting_down"
        case .storageFull: "storage_full"
        case .verificationFailed: "verification_failed"
        case .ownershipConflict: "ownership_conflict"
        case .claimMismatch: "claim_mismatch"
        case .idempotencyMismatch: "idempotency_mismatch"
        case .notFound: "not_found"
        case .overloaded: "overloaded"
        case .behind: "behind"
        }
    }

    /// Whether the same request may succeed later.
    package var isRetryable: Bool {
        switch self {
        case .notReady, .shuttingDown, .storageFull, .overloaded, .behind: true
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError,
            .permissionDenied, .verificationFailed, .ownershipConflict, .claimMismatch,
            .idempotencyMismatch, .notFound:
            false
        }
    }

    /// Whether the connection may close behind this error; `proto/errors.json` says when.
    package var mayClose: Bool {
        switch self {
        case .invalidRequest, .permissionDenied, .shuttingDown, .overloaded: true
        case .parseError, .methodNotFound, .invalidParams, .internalError, .notReady,
            .storageFull, .verificationFailed, .ownershipConflict, .claimMismatch,
            .idempotencyMismatch, .notFound, .behind:
            false
        }
    }
}
