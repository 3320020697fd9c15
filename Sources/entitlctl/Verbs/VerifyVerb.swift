import ArgumentParser
import Foundation
import JSON

/// `verify USER`: links a signed purchase to a user.
struct VerifyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Link a signed purchase to a user.",
        discussion: "Each claim given as an option is compared with what is signed."
    )

    /// Longer files are not what a store signs for one purchase.
    private static let documentBytesMax = 1 << 20

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: ArgumentHelp("The signed transaction; - reads it.", valueName: "file"))
    var jws: String

    @Option(help: ArgumentHelp("The signed renewal information.", valueName: "file"))
    var renewalInfo: String?

    @Option(help: "Claim: which product was bought.")
    var productId: String?

    @Option(help: "Claim: the store's name for the transaction.")
    var transactionId: String?

    @Option(help: "Claim: the store's name for the subscription.")
    var originalTransactionId: String?

    @Option(help: "Claim: the appAccountToken that the purchase was made with.")
    var token: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if jws == "-", renewalInfo == "-" {
            throw ValidationError("only one document can be read from standard input")
        }
    }

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = [
            "userId": .string(user), "signedTransaction": .string(try Self.document(jws)),
        ]
        parameters["signedRenewalInfo"] = try renewalInfo.map { .string(try Self.document($0)) }
        parameters["productId"] = productId.map { .string($0) }
        parameters["transactionId"] = transactionId.map { .string($0) }
        parameters["originalTransactionId"] = originalTransactionId.map { .string($0) }
        parameters["appAccountToken"] = token.map { .string($0) }
        let result = try session.call("verifyPurchase", parameters)
        session.show(result) { TextBlock($0).text }
    }

    private static func document(_ path: String) throws -> String {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else if let opened = FileHandle(forReadingAtPath: path) {
            handle = opened
        } else {
            throw ValidationError("\(path) cannot be read")
        }
        let bytes = try handle.read(upToCount: documentBytesMax + 1) ?? Data()
        guard bytes.count <= documentBytesMax, let text = String(validating: bytes, as: UTF8.self)
        else { throw ValidationError("\(path) is not a signed document") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
