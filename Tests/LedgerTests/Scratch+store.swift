import Glibc
import TestSupport
import Testing

extension Scratch {
    /// Where the ledger lives.
    var store: String { path + "/store" }

    static func copyJournal(_ from: String, to: String) throws {
        remove(to + "/journal")
        mkdir(to, 0o700)
        try #require(mkdir(to + "/journal", 0o700) == 0)
        for name in names(in: from + "/journal") {
            try put(try bytes(of: "\(from)/journal/\(name)"), at: "\(to)/journal/\(name)")
        }
    }

    static func copyViews(_ from: String, to: String) throws {
        mkdir(to, 0o700)
        try put(try bytes(of: from + "/data.mdb"), at: to + "/data.mdb")
        unlink(to + "/lock.mdb")
    }

    /// What a machine would find that lost its power now.
    static func copyStore(_ from: String, to: String) throws {
        remove(to)
        try copyViews(from, to: to)
        try copyJournal(from, to: to)
        for base in ["base", "base-copy"] where access("\(from)/\(base)", F_OK) == 0 {
            mkdir("\(to)/\(base)", 0o700)
            guard access("\(from)/\(base)/data.mdb", F_OK) == 0 else { continue }
            try copyViews("\(from)/\(base)", to: "\(to)/\(base)")
        }
    }
}
