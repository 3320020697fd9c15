import Glibc

/// The segments of a compact JWS, which dots keep apart.
package enum Segments {
    /// Where the dots of `compact` stand: the first three, where there are more.
    package static func dots(in compact: [UInt8]) -> [Int] {
        compact.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return [] }
            var dots: [Int] = []
            var place = 0
            // SAFETY: memchr looks from `place` to the end and no further; it takes many bytes at a
            // time, where a loop takes one.
            while dots.count < 3,
                let dot = memchr(start + place, Int32(UInt8(ascii: ".")), bytes.count - place)
            {
                place = UnsafeRawPointer(dot) - start + 1
                dots.append(place - 1)
            }
            return dots
        }
    }
}
