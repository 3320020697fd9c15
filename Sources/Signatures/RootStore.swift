import COpenSSL
import Synchronization

/// Why the trusted roots cannot be used.
package struct RootFailure: Error, Sendable, CustomStringConvertible {
    /// One sentence's worth.
    package let description: String
}

/// The trusted roots, and the judgement of chains that claim to lead to one.
final class RootStore: Sendable {
    // SAFETY: an X509_STORE is locked by OpenSSL itself; filled in init, freed once in deinit.
    private nonisolated(unsafe) let store: OpaquePointer
    private let blockedSerials: Set<[UInt8]>

    init(_ files: [[UInt8]], blockedSerials: Set<[UInt8]>) throws(RootFailure) {
        self.blockedSerials = blockedSerials
        guard !files.isEmpty else { throw RootFailure(description: "there is no root certificate") }
        guard let store = X509_STORE_new() else { throw RootFailure(description: "no store") }
        self.store = store
        for file in files {
            let roots: [Certificate]
            do throws(ForgeryReason) {
                roots = try Certificate.all(inFile: file)
            } catch {
                throw RootFailure(description: "a root certificate cannot be read: \(error)")
            }
            for root in roots {
                // Anything else in the store would never end a chain.
                guard root.isSelfSigned else {
                    throw RootFailure(description: "a root certificate is not signed by itself")
                }
                guard X509_STORE_add_cert(store, root.handle) == 1 else {
                    throw RootFailure(description: "a root certificate cannot be added")
                }
            }
        }
    }

    deinit { X509_STORE_free(store) }

    /// When the chain leaf, intermediate, trusted root is valid, in seconds since 1970.
    ///
    /// Every link's signature, names and constraints are judged here, the time is not: releases of
    /// OpenSSL disagree on the last second, and a remembered chain must get the same verdict.
    func validity(
        leaf: Certificate,
        intermediate: Certificate
    ) throws(ForgeryReason) -> ClosedRange<Int64> {
        // SAFETY: everything made here is freed here; the certificates outlive the context.
        let context = X509_STORE_CTX_new()
        defer { X509_STORE_CTX_free(context) }
        let untrusted = openssl_certificates_new()
        defer { openssl_certificates_free(untrusted) }
        _ = openssl_certificates_push(untrusted, intermediate.handle)
        guard X509_STORE_CTX_init(context, store, leaf.handle, untrusted) == 1 else {
            throw ForgeryReason(.chain, "the chain could not be judged")
        }
        X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME))
        X509_STORE_CTX_set_depth(context, 1)
        guard X509_verify_cert(context) == 1 else {
            let code = X509_STORE_CTX_get_error(context)
            let text = String(cString: X509_verify_cert_error_string(Int(code)))
            throw ForgeryReason(.chain, "the chain does not hold: \(text)")
        }
        guard let chain = X509_STORE_CTX_get0_chain(context),
            openssl_certificates_count(chain) == 3,
            X509_cmp(openssl_certificates_at(chain, 1), intermediate.handle) == 0,
            let from = leaf.validity, let middle = intermediate.validity,
            let anchor = certificate(openssl_certificates_at(chain, 2)),
            let root = anchor.validity
        else { throw ForgeryReason(.chain, "the chain is not leaf, intermediate, root") }
        // Of the other two their policy says so, before anything is computed.
        guard !blockedSerials.contains(anchor.serial) else {
            throw ForgeryReason(.chain, "a certificate is blocked")
        }
        let start = max(from.lowerBound, middle.lowerBound, root.lowerBound)
        let end = min(from.upperBound, middle.upperBound, root.upperBound)
        guard start <= end else { throw ForgeryReason(.chain, "the chain is never valid") }
        return start...end
    }

    private func certificate(_ handle: OpaquePointer?) -> Certificate? {
        // The chain owns the certificate; the wrapper needs a reference of its own.
        guard let handle, X509_up_ref(handle) == 1 else { return nil }
        return Certificate(adopting: handle)
    }
}
