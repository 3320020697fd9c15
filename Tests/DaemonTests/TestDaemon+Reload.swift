import Foundation
import TestSupport

extension TestDaemon {
    /// How many times its processes have read their configuration again.
    var reloads: Int { log.split(separator: "\n").count { $0.contains("\"msg\":\"Reloaded\"") } }

    /// Has it read its configuration again; back once it has.
    func reload() throws {
        let before = reloads
        child?.signal(SIGHUP)
        guard eventually({ reloads > before }) else { throw DaemonProblem("no reload: \(log)") }
    }

    /// Puts a catalog in force; back once it has been held against earlier purchases.
    func install(catalog: String) throws {
        let noted = storage + "/reviewed"
        func review() -> String? { try? String(contentsOfFile: noted, encoding: .utf8) }
        guard eventually({ review() != nil }) else { throw DaemonProblem("no review: \(log)") }
        let before = review()
        var isAnother = false
        try configure { setup in
            isAnother = setup.catalog != catalog
            setup.catalog = catalog
        }
        guard isAnother else { return }
        child?.signal(SIGHUP)
        guard eventually({ review() != before }) else { throw DaemonProblem("no review: \(log)") }
    }
}
