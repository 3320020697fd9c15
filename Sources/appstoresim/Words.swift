import AppStoreSimulator
import ArgumentParser

extension StoreEnvironment: ExpressibleByArgument {}
extension StoreAction: ExpressibleByArgument {}
extension Milestone: ExpressibleByArgument {}

extension Period: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Product: ExpressibleByArgument {
    package init?(argument: String) { self.init(commandLine: argument) }
}

extension TransactionChoice: ExpressibleByArgument {
    package init(argument: String) { self.init(argument) }
}

/// A duration such as `250ms`.
struct Milliseconds: ExpressibleByArgument {
    let count: Int64

    var defaultValueDescription: String { "\(count)ms" }

    init(count: Int64) { self.count = count }

    init?(argument: String) {
        guard let count = StoreTime.milliseconds(argument) else { return nil }
        self.count = count
    }
}

/// Why a subscription ends, in words.
enum ExpiryReason: String, CaseIterable, ExpressibleByArgument {
    case voluntary
    case billingRetry = "billing-retry"
    case priceIncrease = "price-increase"
    case notForSale = "not-for-sale"
    case other

    var intent: RenewalState.Intent {
        switch self {
        case .voluntary: .cancelled
        case .billingRetry: .billingError
        case .priceIncrease: .priceIncrease
        case .notForSale: .notForSale
        case .other: .other
        }
    }
}

/// Who gets an offer, in words.
enum OfferKind: String, CaseIterable, ExpressibleByArgument {
    case introductory
    case promotional
    case code
    case winBack = "win-back"

    var kind: Offer.Kind {
        switch self {
        case .introductory: .introductory
        case .promotional: .promotional
        case .code: .code
        case .winBack: .winBack
        }
    }
}

/// How an offer is paid, in words.
enum OfferDiscount: String, CaseIterable, ExpressibleByArgument {
    case freeTrial = "free-trial"
    case payAsYouGo = "pay-as-you-go"
    case payUpFront = "pay-up-front"
    case oneTime = "one-time"

    var discount: Offer.Discount {
        switch self {
        case .freeTrial: .freeTrial
        case .payAsYouGo: .payAsYouGo
        case .payUpFront: .payUpFront
        case .oneTime: .oneTime
        }
    }
}
