/// A buffer allocated once for its owner's lifetime, so that sending and receiving allocate nothing.
package final class FrameBuffer {
    package let bytes: UnsafeMutableRawBufferPointer

    package init(size: Int = ChannelLimits.frame) {
        bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
    }

    deinit { bytes.deallocate() }
}
