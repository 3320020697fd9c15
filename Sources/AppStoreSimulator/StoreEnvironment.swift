/// Which of Apple's two stores this one plays.
package enum StoreEnvironment: String, Codable, CaseIterable, Sendable {
    case production = "Production"
    case sandbox = "Sandbox"
}
