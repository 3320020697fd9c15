/// The lists of an export, in the order in which pages walk them.
enum ExportList: UInt8, CaseIterable {
    case tokens = 1
    case subscriptions = 2
    case settlements = 3
    case reservations = 4
    case packs = 5
    case events = 6

    var name: String {
        switch self {
        case .tokens: "tokens"
        case .subscriptions: "subscriptions"
        case .settlements: "settlements"
        case .reservations: "reservations"
        case .packs: "packs"
        case .events: "events"
        }
    }
}
