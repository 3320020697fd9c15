import JSON

/// What a watch is told.
public enum WatchEvent: Equatable, Sendable {
    /// The status of a user changed.
    case entitlementChanged(EntitlementChange)
    /// A store said something of a user's purchase that changed no status.
    case storeEvent(StoreEvent)
    /// Another catalog holds, which may change the status of anybody.
    case catalogChanged(version: Int64, seq: Int64)
    /// The daemon is there, and everything up to this position was told.
    case heartbeat(seq: Int64)
    /// Changes were missed that the daemon no longer keeps in order: ask for the statuses that
    /// matter. What comes after `oldest` is told.
    case resync(oldest: Int64)

    /// The notification `method`; nil for one that this version does not know.
    init?(_ method: String, _ parameters: JSONObject) throws(ClientError) {
        func position(_ key: String) throws(ClientError) -> Int64 {
            try (parameters[key] ?? .null).decoded(of: "\(method).\(key)")
        }
        switch method {
        case "entitlementChanged":
            self = .entitlementChanged(try JSONValue.object(parameters).decoded(of: method))
        case "storeEvent": self = .storeEvent(try JSONValue.object(parameters).decoded(of: method))
        case "catalogChanged":
            self = .catalogChanged(version: try position("version"), seq: try position("seq"))
        case "heartbeat": self = .heartbeat(seq: try position("seq"))
        case "resync": self = .resync(oldest: try position("oldest"))
        default: return nil
        }
    }
}

extension EntitlementChange {
    /// Whether it stands for older changes of the same user too, because too many waited.
    public var isCoalesced: Bool { coalesced ?? false }
}

extension StoreEvent {
    /// Whether it stands for older ones of the same user too, because too many waited.
    public var isCoalesced: Bool { coalesced ?? false }
}
