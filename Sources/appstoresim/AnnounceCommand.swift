import AppStoreSimulator
import ArgumentParser

/// `announce DIR NOTICE`: what is about the app, not about a purchase.
struct AnnounceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "Deliver a notification that is about no purchase."
    )

    /// The notices, in words.
    enum Notice: String, CaseIterable, ExpressibleByArgument {
        case test
        case summary
        case externalPurchaseToken = "external-purchase-token"
        case rescindConsent = "rescind-consent"
    }

    /// Why a token is told, in words.
    enum Reason: String, CaseIterable, ExpressibleByArgument {
        case unreported
        case created
        case reminder

        var subtype: StoreNotices.ExternalSubtype {
            switch self {
            case .unreported: .unreported
            case .created: .created
            case .reminder: .reminder
            }
        }
    }

    @OptionGroup var store: StoreArguments

    @Argument(help: "What is told.")
    var notice: Notice

    @Option(help: "Whose consent is taken back (rescind-consent).")
    var subscriber: String?

    @Option(help: "Which product was extended (summary).")
    var product: String?

    @Option(help: "Why the token is told (external-purchase-token).")
    var reason = Reason.unreported

    @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

    func validate() throws {
        if notice == .rescindConsent, subscriber == nil {
            throw ValidationError("--subscriber is missing")
        }
    }

    func run() async throws {
        let books = try store.books()
        let about = notice == .rescindConsent ? subscriber : nil
        try await delivery.deliver(try notification(books.settings), about: about, books)
    }

    private func notification(_ settings: StoreSettings) throws -> SimulatedNotification {
        let notices = StoreNotices(Till(settings))
        switch notice {
        case .test: return notices.test()
        case .externalPurchaseToken: return notices.externalPurchaseToken(reason.subtype)
        case .summary:
            guard let name = product ?? settings.products.first?.id else {
                throw ValidationError("nothing is sold")
            }
            return notices.summary(of: try settings.product(name))
        case .rescindConsent:
            let name = subscriber ?? ""
            guard let customer = try store.directory.subscriber(name) else {
                throw StoreRefusal("there is no subscriber \(name)")
            }
            return notices.rescindConsent(of: customer)
        }
    }
}
