import Foundation
import JSON
import TestSupport
import Testing

/// Where the program connects, and how it ends.
struct EntitlctlTests {
    private static func error(_ code: Int64, _ name: String) -> JSONValue {
        [
            "code": .integer(code), "message": "one sentence",
            "data": ["code": .string(name), "retryable": false],
        ]
    }

    @Test func `the options stand before or after the verb`() throws {
        let daemon = try FakeDaemon(["ping": .result([:])])
        let socket = ["--socket", daemon.path, "--timeout", "30"]
        for arguments in [
            socket + ["--json", "ping"], ["ping", "--json"] + socket, socket + ["ping", "--json"],
            ["--json", "ping"] + socket,
        ] {
            let run = try Invocation(arguments)
            #expect(run.output == "{}\n", "\(arguments)")
            #expect(run.code == 0)
        }
    }

    @Test func `the environment names each of the two sockets`() throws {
        let app = try FakeDaemon(["ping": .result(["door": "app"])])
        let admin = try FakeDaemon(["stats": .result(["door": "admin"])])
        let environment = [
            "ENTITLD_SOCKET": app.path, "ENTITLD_ADMIN_SOCKET": "unix://" + admin.path,
        ]
        let ping = try Invocation(["ping", "--json"], environment: environment)
        #expect(ping.output == #"{"door":"app"}"# + "\n")
        let stats = try Invocation(["stats", "--json"], environment: environment)
        #expect(stats.output == #"{"door":"admin"}"# + "\n")
    }

    @Test func `the option wins over the environment`() throws {
        let daemon = try FakeDaemon(["ping": .result([:])])
        let run = try Invocation(
            ["ping", "--socket", daemon.path],
            environment: ["ENTITLD_SOCKET": "/tmp/entitld-nobody-here"]
        )
        #expect(run.code == 0)
    }

    @Test func `nobody at the socket is 69`() throws {
        let arguments = ["ping", "--socket", "/tmp/entitld-nobody-here"]
        let text = try Invocation(arguments)
        #expect(
            text.complaint == "entitlctl: unreachable: nobody answers at "
                + "/tmp/entitld-nobody-here: No such file or directory\n"
        )
        #expect(text.output.isEmpty)
        #expect(text.code == 69)
        let json = try Invocation(arguments + ["--json"])
        #expect(
            json.complaint == #"{"code":0,"message":"nobody answers at "#
                + "/tmp/entitld-nobody-here: No such file or directory\","
                + #""data":{"code":"unreachable","retryable":true}}"# + "\n"
        )
        #expect(json.output.isEmpty)
        #expect(json.code == 69)
    }

    @Test func `silence until the timeout is 69`() throws {
        let daemon = try FakeDaemon(["ping": .silence])
        let run = try Invocation(["ping", "--timeout", "0.1", "--socket", daemon.path])
        #expect(run.complaint == "entitlctl: timed_out: the daemon did not answer in time\n")
        #expect(run.code == 69)
    }

    @Test(
        arguments: zip(
            [(-32001, "permission_denied"), (-32602, "invalid_params"), (-32024, "not_found")],
            [77, 2, 1] as [Int32]
        )
    ) func `an error of the daemon has its exit code`(error: (Int64, String), code: Int32) throws {
        let daemon = try FakeDaemon(["getStatus": .error(Self.error(error.0, error.1))])
        let arguments = ["status", "alice", "--socket", daemon.path]
        let text = try Invocation(arguments)
        #expect(text.complaint == "entitlctl: \(error.1): one sentence\n")
        #expect(text.output.isEmpty)
        #expect(text.code == code)
        let json = try Invocation(arguments + ["--json"])
        let object = String(decoding: Self.error(error.0, error.1).bytes, as: UTF8.self)
        #expect(json.complaint == object + "\n")
        #expect(json.output.isEmpty)
        #expect(json.code == code)
    }

    @Test(arguments: [
        ["shout"], ["status"], ["status", "alice", "bob"], ["ping", "--loud"],
        ["ping", "--timeout", "0"], ["ping", "--timeout", "soon"], ["ping", "--socket", ""],
        ["can-render", "alice", "--cost", "much"], ["grant", "alice"], ["verify", "alice"],
        ["management-url", "alice", "--platform", "windows"],
    ]) func `a wrong command line is 2`(arguments: [String]) throws {
        let run = try Invocation(arguments)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.complaint.hasPrefix("Error: "))
        #expect(run.complaint.contains("Usage: entitlctl"))
    }

    @Test func `help is asked for and is no error`() throws {
        let run = try Invocation(["--help"])
        #expect(run.code == 0)
        #expect(run.output.contains("can-render"))
        #expect(run.complaint.isEmpty)
    }

    @Test func `a user may look like an option behind two dashes`() throws {
        let daemon = try FakeDaemon(["getEntitlement": .result(["entitlement": [:]])])
        let run = try Invocation(["entitlement", "--socket", daemon.path, "--", "--json"])
        #expect(run.code == 0)
        #expect(daemon.requests.map(\.params) == [["userId": "--json"]])
    }

    @Test func `a socket that does not let the caller in is 77`() throws {
        let daemon = try FakeDaemon(["ping": .result([:])])
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: daemon.path)
        let run = try Invocation(["ping", "--socket", daemon.path], withoutPrivileges: true)
        #expect(
            run.complaint == "entitlctl: permission_denied: no access to \(daemon.path): "
                + "Permission denied\n"
        )
        #expect(run.code == 77)
    }
}
