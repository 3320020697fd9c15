import Foundation
import Glibc

/// Asks again and again until `condition` holds; false when `seconds`, or a minute and a half, were
/// not enough.
///
/// How long something may take is no test's matter: a machine that does all at once is slow.
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
