import Entitlements
import Ledger
import Wire

extension Call {
    /// `can`: what `canRender` answers, for any feature.
    ///
    /// A feature that no plan names is nobody's; the answer says why, as for every other.
    static let can = Call(
        "can",
        for: .reader,
        .inPlace { (worker, request, reply) throws(RPCFailure) in
            try worker.can(request, into: &reply)
        }
    )
}

extension MethodWorker {
    /// Allocates nothing: neither the user id nor the feature is copied.
    fileprivate func can(_ request: RequestView, into reply: inout ReplyBuffer) throws(RPCFailure) {
        let reader = try awake()
        let feature = try request.params.feature()
        let policy = reader.policy.asked(about: feature)
        try judge(request, as: "{\"allowed\":", under: policy, reader, into: &reply)
    }
}

extension ParamsView {
    /// The feature that is asked about, where it stands in the frame.
    func feature() throws(RPCFailure) -> UnsafeRawBufferPointer {
        guard case .value(let feature) = bytes(of: "feature"),
            (1...MethodLimits.featureBytesMax).contains(feature.count),
            !UserID.holdsControl(feature)
        else { throw .invalid("feature", "is 1 to 64 bytes of UTF-8 without control characters") }
        return feature
    }
}
