import EntitlementsClient
import Foundation
import JSON

/// Runs the cases of proto/vectors/conformance through the Swift client: `Conform VECTORS`.
///
/// What the environment says is in Tests/Conformance/run.py, which starts the daemon.
@main
enum Conform {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        func named(_ name: String) throws -> String {
            guard let value = environment[name] else { throw Fault("\(name) is not set") }
            return value
        }
        guard CommandLine.arguments.count == 2 else {
            throw Fault("usage: Conform VECTORS, or --storm")
        }
        let url = environment["ENTITLD_URL"]
        let isStorm = CommandLine.arguments[1] == "--storm"
        let patience = isStorm ? Duration.milliseconds(300) : .seconds(30)
        let app =
            if let url {
                try EntitlementsClient(
                    url: url,
                    token: try named("ENTITLD_TOKEN"),
                    caFile: environment["ENTITLD_CA"],
                    readTimeout: patience
                )
            } else {
                try EntitlementsClient(
                    socketPath: try named("ENTITLD_SOCKET"),
                    readTimeout: patience
                )
            }
        guard !isStorm else {
            let users = try JSONValue.parse(Array(try named("ENTITLD_STORM_USERS").utf8))
            let prefix = environment["ENTITLD_CONFORM_PREFIX"] ?? ""
            return await Storm(app, users: users, prefix: prefix).run()
        }
        let admin = try EntitlementsClient(socketPath: try named("ENTITLD_ADMIN_SOCKET"))
        let documents = try parsed(try named("ENTITLD_CONFORM_DOCUMENTS"))
        var stock = (documents.object?.members ?? [])
            .reduce(into: [String: [String]]()) { stock, member in
                stock[member.key] = (member.value.array ?? []).compactMap(\.string)
            }
        let directory = URL(filePath: CommandLine.arguments[1])
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        var ran = 0
        var failed = 0
        for file in files {
            for vector in try parsed(directory.appending(path: file).path)["cases"]?.array ?? [] {
                ran += 1
                var attempt = Attempt(
                    app: app,
                    admin: admin,
                    transport: url == nil ? "socket" : "https",
                    prefix: "\(environment["ENTITLD_CONFORM_PREFIX"] ?? "")-\(ran)-",
                    stock: stock
                )
                let fault = await attempt.run(vector["steps"]?.array ?? [])
                stock = attempt.stock
                guard let fault else { continue }
                failed += 1
                print("FAIL \(file): \(vector["name"]?.string ?? ""): \(fault)")
            }
        }
        print("\(ran) cases, \(failed) failed")
        guard ran > 0, failed == 0 else { exit(1) }
    }

    private static func parsed(_ path: String) throws -> JSONValue {
        try JSONValue.parse(Array(try Data(contentsOf: URL(filePath: path))))
    }
}

/// Why the cases cannot be run.
struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
