import AppStoreSimulator
import ArgumentParser
import Glibc
import JSON
import SimulatorProgram

/// Which store.
struct StoreArguments: ParsableArguments {
    @Argument(help: .init("The store's directory, as mint made it.", valueName: "dir"))
    var path: String

    var directory: SimulatorDirectory { SimulatorDirectory(path) }

    func settings() throws -> StoreSettings { try directory.settings() }

    func books() throws -> StoreBooks { try StoreBooks(directory) }
}

/// How notifications go out.
struct DeliveryOptions: ParsableArguments {
    @Option(help: "Where to; what mint was told when absent.")
    var url: String?

    @Option(help: "A PEM file with what is trusted at an https URL, and nothing else is.")
    var ca: String?

    @Flag(help: "One attempt only, whatever the environment.")
    var once = false

    /// The delivery that these options ask for.
    func delivery(_ settings: StoreSettings) throws -> Delivery {
        guard let url = url ?? settings.url else {
            throw ValidationError("--url is missing, and mint was not told one")
        }
        var delivery =
            once ? Delivery(to: url, retryDelays: []) : Delivery(to: url, settings)
        delivery.rootFile = ca
        return delivery
    }

    /// Before anything happens to anybody: a subscriber's life cannot be taken back.
    func validate() throws { try Self.validate(ca: ca) }

    /// Refuses a file that cannot be read.
    static func validate(ca path: String?) throws {
        guard let path, access(path, R_OK) != 0 else { return }
        throw ValidationError("--ca: \(path) cannot be read")
    }

    /// Signs, notes and delivers; prints one line, and fails when it was not delivered.
    ///
    /// With `isLost` the one attempt is lost on its way, which is what was asked for.
    func deliver(
        _ notification: SimulatedNotification,
        about customer: String? = nil,
        isLost: Bool = false,
        _ books: StoreBooks
    ) async throws {
        let signed = try notification.signed(by: books.authority)
        try books.note(signed, about: customer)
        if isLost {
            try books.noteLoss(of: signed)
            print("\(signed.kind) -> lost")
            return
        }
        let record = try await delivery(books.settings).deliver(signed, noting: books)
        print(VisibleText.line(record.line))
        if !record.isDelivered { throw ExitCode.negative }
    }
}
