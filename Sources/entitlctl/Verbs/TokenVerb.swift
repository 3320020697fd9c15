import ArgumentParser
import JSON
import Signatures

/// `token NAME`: a new token for the HTTPS door, and its line for the file of tokens.
struct TokenVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make a token for a caller on another host.",
        discussion: """
            The first line is the token, for the caller alone. The second line belongs into the \
            file that api.tokensFile names; it tells nobody the token. The daemon is not asked.
            """
    )

    /// Nobody on another host is an administrator.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case reader
        case app
        case support
    }

    @Argument(help: "What the history and the log call the caller: letters, digits, - . _")
    var name: String

    @Option(help: "What the caller may ask: reader, app or support.")
    var role: Role

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard isName, (1...64).contains(name.utf8.count) else {
            throw ValidationError("NAME is 1 to 64 letters, digits, or any of - . _")
        }
    }

    func run() throws {
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<4).map { _ in Self.hex(generator.next().bigEndian) }.joined()
        let token = "entitld_\(secret)"
        let digest = Digest.sha256(token).map { Self.hex($0) }.joined()
        let line = "\(name) \(role.rawValue) \(digest)"
        guard global.json else { return try Terminal.show("\(token)\n\(line)") }
        try Terminal.show(Terminal.json(["token": .string(token), "line": .string(line)]))
    }

    private static func hex(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }
}
