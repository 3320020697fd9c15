/// The pages of a data.mdb that its newest commit reaches, by their places in the file.
struct StoredPages {
    private static let pageBytes = 4_096

    private(set) var branches: [Int] = []
    private(set) var leaves: [Int] = []

    init(_ bytes: [UInt8]) {
        let meta = [0, Self.pageBytes].max { bytes.u64($0 + 144) < bytes.u64($1 + 144) } ?? 0
        var roots = [bytes.u64(meta + 128)]
        while let root = roots.popLast() {
            // A table without entries.
            if root == .max { continue }
            let page = Int(root) * Self.pageBytes
            let isBranch = bytes.u16(page + 10) & 1 != 0
            if isBranch { branches.append(page) } else { leaves.append(page) }
            for node in bytes.nodes(of: page) {
                if isBranch {
                    roots.append(bytes.u64(node) & 0xFFFF_FFFF_FFFF)
                } else if bytes.u16(node + 4) == 2 {
                    roots.append(bytes.u64(node + 8 + Int(bytes.u16(node + 6)) + 40))
                }
            }
        }
    }
}

extension [UInt8] {
    func u16(_ offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    func u64(_ offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
    }

    /// Where the nodes of a page are.
    func nodes(of page: Int) -> [Int] {
        (0..<Int(u16(page + 12) - 16) / 2).map { page + Int(u16(page + 16 + 2 * $0)) }
    }
}
