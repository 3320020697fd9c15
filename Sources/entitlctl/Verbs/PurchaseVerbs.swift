import ArgumentParser
import Foundation
import JSON

/// A document that is handed on as it is, without white space around it.
enum DocumentFile {
    static func text(_ path: String, bytesMax: Int = 1 << 20) throws -> String {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else if let opened = FileHandle(forReadingAtPath: path) {
            handle = opened
        } else {
            throw ValidationError("\(path) cannot be read")
        }
        let bytes = try handle.read(upToCount: bytesMax + 1) ?? Data()
        guard bytes.count <= bytesMax, let text = String(validating: bytes, as: UTF8.self)
        else { throw ValidationError("\(path) is not such a document") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// `restore USER FILE…`: links what a device knows of its user's purchases.
struct RestoreVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Link signed transactions to a user, as restoring purchases does."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(
        name: .customLong("jws"),
        help: ArgumentHelp(
            "A signed transaction; - is standard input; repeatable.",
            valueName: "file"
        )
    )
    var documents: [String]

    @Option(help: "The token in the documents, if it is this user's and no account has it yet.")
    var appAccountToken: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard (1...100).contains(documents.count), documents.count(where: { $0 == "-" }) < 2
        else { throw ValidationError("--jws names 1 to 100 files, one of them standard input") }
    }

    func perform(_ session: inout Session) throws {
        let texts = try documents.map { JSONValue.string(try DocumentFile.text($0)) }
        var parameters: JSONObject = [
            "userId": .string(user), "signedTransactions": .array(texts),
        ]
        parameters["appAccountToken"] = appAccountToken.map { .string($0) }
        let result = try session.call("restorePurchases", parameters)
        session.show(result) { result in
            var lines = (result["results"]?.array ?? [])
                .map { one in
                    let id = TextBlock.word(one["originalTransactionId"] ?? .null)
                    return "\(id)  \(TextBlock.word(one["outcome"] ?? .null))"
                }
            var shown: JSONObject = ["state": result["status"]?["state"] ?? .null]
            shown["plan"] = result["status"]?["plan"]
            lines.append(TextBlock(shown).text)
            return lines.joined(separator: "\n")
        }
    }
}

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
        session.show(result) { result in
            var shown: JSONObject = ["isValid": result["isValid"] ?? .null]
            for member in ["expiresAt", "tier", "message"] { shown[member] = result[member] }
            return TextBlock(shown).text
        }
        guard result["isValid"]?.bool == true else { throw ExitCode.negative }
    }
}
