/// A notification's type and subtype, under their names in Notifications V2.
///
/// Home-made and V1 names mean the same as their V2 names (docs/app-store-facts.md, "Names of
/// notifications"). Apple never sends them in V2, so the table does no harm there.
struct NotificationKind: Hashable, Sendable {
    /// For example `DID_RENEW`.
    let type: String
    /// For example `BILLING_RECOVERY`; empty for none.
    let subtype: String

    /// Creates the kind that these words name.
    init(type: String, subtype: String) {
        switch (type, subtype) {
        case ("RENEWAL", ""): self.init("DID_RENEW", "")
        case ("RENEWAL", "INITIAL_BUY"), ("INITIAL_BUY", ""):
            self.init("SUBSCRIBED", "INITIAL_BUY")
        case ("RENEWAL", "RESUBSCRIBE"), ("INTERACTIVE_RENEWAL", ""):
            self.init("SUBSCRIBED", "RESUBSCRIBE")
        case ("RENEWAL", "BILLING_RECOVERY"), ("BILLING_RECOVERY", ""), ("DID_RECOVER", ""):
            self.init("DID_RENEW", "BILLING_RECOVERY")
        case ("MIGRATE", _): self.init("MIGRATION", subtype)
        default: self.init(type, subtype)
        }
    }

    private init(_ type: String, _ subtype: String) {
        self.type = type
        self.subtype = subtype
    }

    /// The status that the type itself means: a grace period is announced with a status of 4.
    var status: Int64? {
        type == "DID_FAIL_TO_RENEW" && subtype == "GRACE_PERIOD" ? 4 : nil
    }

    /// Whether the user or the App Store turned auto-renewal off.
    ///
    /// Apple's V1 `CANCEL` with a revocation was a refund.
    func turnsRenewalOff(revoked: Bool) -> Bool {
        switch (type, subtype) {
        case ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"): true
        case ("CANCEL", ""): !revoked
        default: false
        }
    }
}
