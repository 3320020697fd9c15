import ArgumentParser
import DaemonConfiguration
import JSON

/// `entitld check-config`: reads everything that `serve` would read, and says whether it would
/// start.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Read the configuration and the catalog, and say what is wrong with them."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let configured = try Configured(options)
        _ = try configured.stores()
        _ = try configured.receivers()
        _ = try Configured.identity(configured.settings.webhook?.transport, "webhook.tls")
        _ = try Configured.identity(configured.settings.api?.transport, "api.tls")
        for caution in Caution.all(configured.settings, configured.policy) {
            print(VisibleText.line("warning: \(caution.key): \(caution.sentence)"))
        }
        print(VisibleText.line("\(configured.path): ok"))
    }
}
