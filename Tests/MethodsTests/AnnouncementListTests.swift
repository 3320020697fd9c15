import Entitlements
import Testing

@testable import Methods

/// Which notifications wait for their store, as far as they are known in memory.
@Suite struct AnnouncementListTests {
    private func waiting(_ number: UInt64) -> WaitingNotification {
        let notification = Notification(
            id: NotificationID(digest: Digest256(number, 0, 0, 0)),
            type: "X",
            subtype: "",
            document: Digest256(0, 0, 0, number),
            facts: [],
            announcement: StoreAnnouncement(.googlePlay, .purchaseToken("\(number)"))
        )
        return WaitingNotification(notification, received: Moment(Int64(number)))
    }

    @Test func `the oldest come first, whatever their ids are`() {
        let list = AnnouncementList()
        for (number, seq) in [(3, 10), (1, 30), (2, 20)] as [(UInt64, UInt64)] {
            list.add(waiting(number), at: seq)
        }
        #expect(list.waiting(for: .googlePlay) == [3, 2, 1].map { waiting($0) })
        #expect(list.waiting(for: .stripe).isEmpty)
    }

    @Test func `a search that does not come to its end is repeated`() {
        let list = AnnouncementList()
        #expect(list.needsSearch(for: .googlePlay))
        list.beginSearch()
        list.endSearch()
        #expect(!list.needsSearch(for: .googlePlay))
        for number in 0...UInt64(MethodLimits.announcementsMax) {
            list.add(waiting(number), at: number)
        }
        #expect(!list.needsSearch(for: .googlePlay))
        for number in 0...UInt64(MethodLimits.announcementsMax) {
            list.remove(waiting(number).notification.id)
        }
        #expect(list.needsSearch(for: .googlePlay))
        list.beginSearch()
        // A page of the tables could not be read.
        #expect(list.needsSearch(for: .googlePlay) && list.needsSearch(for: .stripe))
    }
}
