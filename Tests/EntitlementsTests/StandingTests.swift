import Entitlements
import Testing

@Suite struct StandingTests {
    /// Marks, grace, what the catalog allows, and the day it is asked on.
    struct Row: Sendable, CustomTestStringConvertible {
        var marks: EraMarks = []
        var grace: Int64?
        var fallbackDays: Int64 = 0
        var lateDays: Int64 = 0
        let day: Int64
        let standing: Standing

        var testDescription: String { "\(marks.rawValue) on day \(day): \(standing)" }
    }

    static let rows: [Row] = [
        // First match wins: revoked, paid, grace, billing retry, late renewal, lapsed.
        Row(marks: [.revoked], day: 1, standing: .revoked),
        Row(marks: [.revoked, .billingProblem], grace: 40, day: 35, standing: .revoked),
        Row(day: 1, standing: .active),
        Row(marks: [.billingProblem], grace: 40, day: 29, standing: .active),
        Row(day: 30, standing: .lapsed),
        Row(marks: [.billingProblem], grace: 40, day: 30, standing: .grace),
        Row(marks: [.billingProblem], grace: 40, day: 40, standing: .retry),
        Row(marks: [.billingProblem], day: 30, standing: .retry),
        Row(marks: [.billingProblem], day: 89, standing: .retry),
        Row(marks: [.billingProblem], day: 90, standing: .lapsed),
        Row(marks: [.openGrace, .billingProblem], fallbackDays: 3, day: 32, standing: .grace),
        Row(marks: [.openGrace, .billingProblem], fallbackDays: 3, day: 33, standing: .retry),
        Row(marks: [.openGrace, .billingProblem], day: 30, standing: .retry),
        Row(marks: [.renews], lateDays: 2, day: 31, standing: .active),
        Row(marks: [.renews], lateDays: 2, day: 32, standing: .lapsed),
        Row(marks: [.renewalOff], lateDays: 2, day: 31, standing: .lapsed),
        Row(marks: [.saidExpired], day: 31, standing: .lapsed),
    ]

    @Test(arguments: rows)
    func `an era is worth what its row says`(_ row: Row) {
        var source = Policy.Source()
        source.graceFallbackMilliseconds = row.fallbackDays * Sample.day
        source.lateRenewalMilliseconds = row.lateDays * Sample.day
        let slot = Sample.slot(
            marks: row.marks,
            graceUntil: row.grace.map { Sample.after($0) } ?? .distantPast
        )
        #expect(slot.standing(at: Sample.after(row.day), under: Policy(source)) == row.standing)
    }

    @Test func `what was never paid is over, and what was bought for good never is`() {
        let policy = Policy(Policy.Source())
        let never = Sample.slot(marks: [.billingProblem], paidUntil: .distantPast)
        #expect(never.standing(at: Sample.start, under: policy) == .lapsed)
        #expect(never.nextMoment(after: Sample.after(1), under: policy) == .distantFuture)
        let good = Sample.slot(paidUntil: .distantFuture)
        #expect(good.standing(at: Sample.after(99_999), under: policy) == .active)
        #expect(good.nextMoment(after: Sample.start, under: policy) == .distantFuture)
    }

    @Test func `access in billing retry is the catalog's choice`() {
        var source = Policy.Source()
        for isAllowed in [false, true] {
            source.billingRetryAccess = isAllowed
            let policy = Policy(source)
            let slot = Sample.slot()
            #expect(slot.givesAccess(.retry, under: policy) == isAllowed)
            // A subscription on hold at Google gives none, nor one that Stripe gave up.
            for store in [Store.googlePlay, .stripe] {
                var other = slot
                other.store = store
                #expect(!other.givesAccess(.retry, under: policy))
            }
            #expect(slot.givesAccess(.active, under: policy))
            #expect(slot.givesAccess(.grace, under: policy))
            #expect(!slot.givesAccess(.lapsed, under: policy))
            #expect(!slot.givesAccess(.revoked, under: policy))
        }
    }
}
