import DaemonConfiguration
import Entitlements
import Webhooks

/// A store, as the configuration sets it up.
struct ConfiguredStore: Sendable {
    /// Judges what it says.
    let storefront: any Storefront
    /// What its server can be asked; nil where it is not asked.
    var questions: (any StoreQuestions)?
    /// Who may send its notifications, instead of those that the webhook lets in; nil: those.
    var allowedSources: [AddressRange]?

    /// Who may send them once this is what the file says of a store that runs.
    ///
    /// A store whose section is gone goes on with its secrets until the restart, so it keeps its
    /// sources, too: the common ones may be everybody.
    var sourcesAfterReload: RouteSources {
        if storefront is AbsentStore { return .unchanged }
        return allowedSources.map { .own($0) } ?? .common
    }

    /// A store that the configuration does not name.
    init(absent profile: StoreProfile) { storefront = AbsentStore(profile) }

    /// A store that it names, or that has more to say than that it is absent.
    init(_ storefront: any Storefront, _ questions: (any StoreQuestions)? = nil) {
        self.storefront = storefront
        self.questions = questions
    }
}

extension Configured {
    /// Every store, in the order in which they are shown and asked: a line for each.
    func stores() throws(Stop) -> [ConfiguredStore] {
        [
            try appStore(),
            try googlePlay(),
            try stripe(),
        ]
    }
}
