import AppStoreSimulator
import ArgumentParser

/// Which store.
struct StoreArguments: ParsableArguments {
    @Argument(help: .init("The store's directory, as mint made it.", valueName: "dir"))
    var path: String

    var directory: SimulatorDirectory { SimulatorDirectory(path) }

    func settings() throws -> StoreSettings { try directory.settings() }
}

/// How notifications go out.
struct DeliveryOptions: ParsableArguments {
    @Option(help: "Where to; what mint was told when absent.")
    var url: String?

    @Flag(help: "One attempt only, whatever the environment.")
    var once = false

    /// The delivery that these options ask for.
    func delivery(_ settings: StoreSettings) throws -> Delivery {
        guard let url = url ?? settings.url else {
            throw ValidationError("--url is missing, and mint was not told one")
        }
        return once ? Delivery(to: url, retryDelays: []) : Delivery(to: url, settings)
    }

    /// Signs and delivers; prints one line, and fails when it was not delivered.
    func deliver(
        _ notification: SimulatedNotification,
        _ store: StoreArguments,
        _ settings: StoreSettings
    ) async throws {
        let signed = try notification.signed(by: store.directory.authority())
        let record = await (try delivery(settings)).deliver(signed)
        print(record.line)
        if !record.isDelivered { throw ExitCode.negative }
    }
}
