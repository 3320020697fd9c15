import ArgumentParser
import JSON

/// `receipt USER FILE`: links the purchases of an app receipt; exit 1 when it gives no access.
struct ReceiptVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Verify an app receipt for a user: exit 1 when it gives no access."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("The receipt in base64; - reads standard input.", valueName: "file"))
    var file: String

    @Option(help: "The product that is asked about.")
    var productId: String?

    @Option(help: "The token on its purchases, if it is this user's and no account has it yet.")
    var appAccountToken: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = [
            "userId": .string(user), "receiptData": .string(try DocumentFile.text(file)),
        ]
        parameters["productId"] = productId.map { .string($0) }
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        let result = try session.call("verifyReceipt", parameters)
        try session.show(result) { result in
            var shown: JSONObject = ["isValid": result["isValid"] ?? .null]
            for member in ["expiresAt", "tier", "message"] { shown[member] = result[member] }
            return TextBlock(shown).text
        }
        guard result["isValid"]?.bool == true else { throw ExitCode.negative }
    }
}
