import Foundation
import Glibc

/// Asks again and again until `condition` holds; false when `seconds` were not enough.
package func eventually(
    within seconds: Double = 10,
    _ condition: () throws -> Bool
) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
        if try condition() { return true }
        usleep(10_000)
    }
    return try condition()
}
