import Entitlements

// Notifications of which the store has still to be asked. Few wait, and only while a store does not
// answer; the rows say which, and the entries of the journal what was announced.

/// A page of the walk through all notifications.
package struct AnnouncementPage: Sendable {
    /// Those that wait for their store.
    package fileprivate(set) var waiting: [(seq: UInt64, waiting: WaitingNotification)] = []
    /// Where the next page begins; nil at the end.
    package fileprivate(set) var next: NotificationID?
}

extension LedgerReader {
    /// Of the next notifications after `id`, at most `rows` of them, those of which the store has
    /// still to be asked.
    ///
    /// Of one whose entry was pruned, as earlier releases did, nobody knows any more what it
    /// announced: it is left out, and is over in its time.
    package func announcements(
        after id: NotificationID?,
        rows: Int = LedgerLimits.searchPieceRows
    ) throws(LedgerFailure) -> AnnouncementPage {
        var page = AnnouncementPage()
        var found: [UInt64] = []
        try wake()
        try look { snapshot in
            var count = 0
            let start = id.map { NotificationRow.bytes(of: $0) + [0] } ?? []
            try snapshot.walk(.notifications, from: start) { key, sealed in
                count += 1
                if NotificationRow.isAwaiting(sealed) {
                    found.append(try NotificationRow(key: key, sealed: sealed).record.seq)
                }
                guard count == rows else { return true }
                page.next = try NotificationRow.key(of: Array(key))
                return false
            }
        }
        for seq in found {
            if let one = try announcement(at: seq) { page.waiting.append((seq, one)) }
        }
        return page
    }

    private func announcement(at seq: UInt64) throws(LedgerFailure) -> WaitingNotification? {
        do {
            guard let entry = try rememberedJournal().entry(seq) else { return nil }
            let content = try EntryBody.content(of: entry)
            for case .announced(let id, let announcement) in content.events {
                let notification = Notification(
                    id: id,
                    type: content.order.type,
                    subtype: content.order.subtype,
                    document: content.document ?? Digest256(0, 0, 0, 0),
                    facts: [],
                    announcement: announcement
                )
                return WaitingNotification(notification, received: content.now)
            }
            return nil
        } catch {
            throw met(error)
        }
    }
}
