/// What becomes of the file with which clients know whether answers that they keep still hold.
package enum SharedMarks: Sendable {
    /// It is at `path`, for those whom `mode` lets read.
    case kept(path: String, mode: UInt16)
    /// What an earlier process kept at `path` ends.
    case retired(path: String)

    /// Does so; only the owner of the data directory may.
    func taken() throws(LedgerFailure) -> ChangeMarks? {
        switch self {
        case .kept(let path, let mode): return try ChangeMarks(path: path, mode: mode)
        case .retired(let path):
            try ChangeMarks.retire(path: path)
            return nil
        }
    }
}
