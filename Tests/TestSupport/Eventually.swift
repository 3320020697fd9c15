import Foundation
import Glibc

/// Asks again and again until `condition` holds; false when it does not hold after `seconds`, or
/// after a minute and a half where that is longer.
///
/// So it never gives up before 90 s: a machine that runs all tests at once is slow, and a wait that
/// ends early fails for nothing. It says nothing of how long something took. Where that is what a
/// test is about, the test compares moments itself.
package func eventually(
    within seconds: Double = 10,
    _ condition: () throws -> Bool
) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: max(seconds, 90))
    while Date() < end {
        if try condition() { return true }
        usleep(10_000)
    }
    return try condition()
}
