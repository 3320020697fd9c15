import Glibc

/// Many connections that watch; some of them read what they are told, the others nothing.
package struct WatchCrowd {
    /// Where the daemon is served.
    package var endpoint: Endpoint
    /// How many watch and read.
    package var readers = 500
    /// How many watch and never read.
    package var sleepers = 500
    /// For how many seconds.
    package var seconds = 10.0

    /// A crowd at a socket of the daemon.
    package init(at endpoint: Endpoint) { self.endpoint = endpoint }

    /// Watches; answers how many bytes the readers were told, and how many of them were cut off.
    package func watch() throws(LoadFailure) -> (bytes: Int, lost: Int) {
        var sockets: [FrameSocket] = []
        for _ in 0..<readers + sleepers {
            let socket = try FrameSocket(endpoint)
            try socket.send([#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}"#])
            sockets.append(socket)
        }
        var (bytes, lost) = (0, 0)
        var room = [UInt8](repeating: 0, count: LoadLimits.readBytes)
        var isOpen = [Bool](repeating: true, count: readers)
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            usleep(50_000)
            for index in 0..<readers where isOpen[index] {
                while true {
                    guard let count = sockets[index].skip(&room) else {
                        isOpen[index] = false
                        lost += 1
                        break
                    }
                    bytes += count
                    if count == 0 { break }
                }
            }
        }
        return (bytes, lost)
    }
}
