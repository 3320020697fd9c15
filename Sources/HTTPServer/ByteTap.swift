import NIOCore

/// Stands between the bytes and the parser: it can hold reading back, and it can swallow the rest
/// of a refused request.
///
/// Confined to its event loop.
final class ByteTap: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Mode {
        case pass
        case swallow(bytesLeft: Int)
    }

    private var mode: Mode = .pass
    private var isHeld = false
    private var readIsDue = false
    private var context: ChannelHandlerContext?

    /// Called with the size of each arrival that is passed on.
    var onBytes: (Int) -> Void = { _ in }
    /// Called when more was swallowed than allowed.
    var onSurfeit: () -> Void = {}

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        onBytes = { _ in }
        onSurfeit = {}
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch mode {
        case .pass:
            onBytes(unwrapInboundIn(data).readableBytes)
            context.fireChannelRead(data)
        case .swallow(let bytesLeft):
            let left = bytesLeft - unwrapInboundIn(data).readableBytes
            mode = .swallow(bytesLeft: left)
            if left < 0 { onSurfeit() }
        }
    }

    func read(context: ChannelHandlerContext) {
        if isHeld {
            readIsDue = true
        } else {
            context.read()
        }
    }

    /// Reads nothing more until it is released, so that a client cannot fill the daemon's memory.
    func hold() {
        isHeld = true
    }

    func release() {
        isHeld = false
        guard readIsDue else { return }
        readIsDue = false
        context?.read()
    }

    /// Reads up to `bytesMax` more bytes and drops them.
    func swallow(bytesMax: Int) {
        mode = .swallow(bytesLeft: bytesMax)
        release()
    }
}
