import Glibc

/// What data.mdb has, looked at before LMDB maps it: its newest commit, and the sums of its pages.
struct PageInventory {
    /// That of the newest commit.
    let meta: StoreFile.Meta
    /// The sums as of that commit; `end` is 0 where data.sums is to be written anew.
    let contents: SumsFile.Contents
    let byteCount: Int
    let warning: StoreWarning?

    /// Looks at the file at `path`; nil where it is missing or empty, and LMDB makes a new one.
    ///
    /// A file of up to `comparedBytesMax` is compared with its sums; of every file the pages that
    /// name the tables are.
    static func take(
        _ path: String,
        comparedBytesMax: Int
    ) throws(LMDBFailure) -> PageInventory? {
        guard let file = try PageFile(path) else { return nil }
        let byteCount = file.byteCount
        let metas = try StoreFile.metas(of: file)
        let pages = FilePages(file, pageBytes: metas.newest.pageBytes)
        do throws(LMDBFailure) {
            let (contents, warning) = try sums(of: pages, metas, SumsFile.path(besides: path))
            // LMDB never writes a page that was taken and freed within one commit, so a sound file
            // can end before its last page.
            let last = contents.sums.lastIndex { $0 != 0 } ?? 0
            guard last < max(pages.count, 1) else {
                throw .damaged("page \(last) is behind the end of the file")
            }
            let isSmall = byteCount <= comparedBytesMax
            func compare(_ number: Int) throws(LMDBFailure) {
                guard number < contents.sums.count, contents.sums[number] != 0 else { return }
                guard try pages.sum(ofPage: UInt64(number)) == contents.sums[number] else {
                    throw .damaged("page \(number) is not what was written")
                }
            }
            if isSmall {
                for number in contents.sums.indices { try compare(number) }
            } else {
                for number in try naming(pages, metas.newest) { try compare(number) }
            }
            return PageInventory(
                meta: metas.newest,
                contents: contents,
                byteCount: byteCount,
                warning: warning
            )
        } catch {
            throw error.named(path)
        }
    }

    /// The sums as of the newest commit.
    ///
    /// First match wins: data.sums is of that commit; of the one before; of this file, one of whose
    /// meta pages is not what was written; of another file, or there is none: then every page is
    /// walked, and believed.
    private static func sums(
        of pages: FilePages,
        _ metas: StoreFile.Metas,
        _ path: String
    ) throws(LMDBFailure) -> (SumsFile.Contents, StoreWarning?) {
        let reason: StoreWarning
        switch try SumsFile.read(path) {
        case .missing: reason = .sumsMissing
        case .unreadable: reason = .sumsUnreadable
        case .contents(let contents):
            let commit = contents.commit
            let (newest, previous) = (metas.newest, metas.previous)
            if contents.isRefused, newest.commit == commit + 1 {
                throw .damaged("commit \(newest.commit) was built on what was not written")
            }
            if newest.commit == commit, contents.knows(newest) { return (contents, nil) }
            if newest.commit == commit + 1, previous.commit == commit, contents.knows(previous) {
                return (try brought(contents, to: metas, pages), nil)
            }
            let known = [newest, previous].filter { contents.knows($0) }
            // The two that belong there are this commit's and a neighbour's.
            if known.count == 1, known[0].commit + 1 >= commit {
                throw .damaged("a meta page is not what was written")
            }
            reason = .sumsOfAnother
        }
        return (try walked(pages, metas), reason)
    }

    /// What the file at `path` has, every page of its trees walked and believed; nil where it is
    /// missing or empty.
    static func walk(_ path: String) throws(LMDBFailure) -> PageInventory? {
        guard let file = try PageFile(path) else { return nil }
        let byteCount = file.byteCount
        let metas = try StoreFile.metas(of: file)
        do throws(LMDBFailure) {
            return PageInventory(
                meta: metas.newest,
                contents: try walked(FilePages(file, pageBytes: metas.newest.pageBytes), metas),
                byteCount: byteCount,
                warning: nil
            )
        } catch {
            throw error.named(path)
        }
    }

    private static func walked(
        _ pages: FilePages,
        _ metas: StoreFile.Metas
    ) throws(LMDBFailure) -> SumsFile.Contents {
        guard let file = try PageFile(pages.file.path) else { throw .damaged("the file is gone") }
        let sums = try TreeAudit.sums(of: file, metas.newest)
        return SumsFile.Contents(
            commit: metas.newest.commit,
            metas: [metas.newest.sum, metas.previous.sum, 0],
            pageBytes: metas.newest.pageBytes,
            sums: sums,
            end: 0
        )
    }

    /// The sums of one commit later.
    private static func brought(
        _ before: SumsFile.Contents,
        to metas: StoreFile.Metas,
        _ pages: FilePages
    ) throws(LMDBFailure) -> SumsFile.Contents {
        var difference = TreeDifference(pages, pagesCount: pages.count)
        try difference.run(from: metas.previous, to: metas.newest)
        try difference.prove { $0 < before.sums.count ? before.sums[$0] : 0 }
        var sums = before.sums
        sums += [UInt32](repeating: 0, count: max(0, pages.count - sums.count))
        for page in difference.removed { sums[Int(page)] = 0 }
        for page in difference.added { sums[Int(page)] = try pages.sum(ofPage: page) }
        return SumsFile.Contents(
            commit: metas.newest.commit,
            metas: [metas.newest.sum, before.metas[0], before.metas[1]],
            pageBytes: before.pageBytes,
            sums: sums,
            end: 0
        )
    }

    /// The pages that LMDB reads before the rest of them is guarded: those of the main table.
    private static func naming(
        _ pages: FilePages,
        _ meta: StoreFile.Meta
    ) throws(LMDBFailure) -> [Int] {
        var difference = TreeDifference(pages, pagesCount: pages.count)
        _ = try difference.compare(.empty, meta.mainTable)
        return difference.added.map { Int($0) }
    }
}
