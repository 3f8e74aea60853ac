internal import ROS2
internal import ROSMessages
internal import Zenoh

/// The bytes of an attachment that is sent: the only place where they are made.
///
/// A publication, request or reply with other bytes ends the process that receives it, so they are checked once more
/// here.
enum Outgoing {
    /// Replaces `bytes` by those of an attachment, whose storage is reused.
    ///
    /// - Throws: `ROSError` with `misuse`; nothing may be sent then.
    static func write(_ attachment: MessageAttachment, to bytes: inout [UInt8]) throws(ROSError) {
        bytes.removeAll(keepingCapacity: true)
        attachment.append(to: &bytes)
        try check(bytes)
    }

    /// The bytes of an attachment.
    ///
    /// - Throws: as ``write(_:to:)``.
    static func bytes(of attachment: MessageAttachment) throws(ROSError) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(attachment, to: &bytes)
        return bytes
    }

    /// Checks what receivers check: 33 bytes, two numbers that are not negative, and the length of the sender.
    ///
    /// - Throws: `ROSError` with `misuse`.
    static func check(_ bytes: [UInt8]) throws(ROSError) {
        guard bytes.count == MessageAttachment.size, bytes[7] < 0x80, bytes[15] < 0x80,
            bytes[16] == UInt8(EndpointID.size)
        else {
            throw ROSError(
                .misuse, "an attachment of \(bytes.count) bytes would end the process that receives it: not sent")
        }
    }
}

extension ROSError {
    init(_ error: ZenohError) {
        let code: Code =
            switch error.code {
            case .invalidKey: .invalidName
            case .invalidConfiguration: .invalidConfiguration
            case .unreachable, .untrusted, .notConnected, .congested: .unreachable
            case .connectionLost: .connectionLost
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .closed: .closed
            case .refused: .refused
            case .protocolViolation: .protocolViolation
            case .tooLarge: .tooLarge
            case .systemFailure: .systemFailure
            }
        self.init(code, error.what, hint: error.hint)
    }

    static func olderPeer(_ name: String) -> ROSError {
        ROSError(
            .typeMismatch, "\(name): a node has rmw_zenoh before 0.2.4, which ends when it receives present messages",
            hint: "update ros-jazzy-rmw-zenoh-cpp there")
    }
}

/// Rethrows the errors of the Zenoh client.
func throwingROSError<Value>(_ body: () throws(ZenohError) -> Value) throws(ROSError) -> Value {
    do throws(ZenohError) { return try body() } catch { throw ROSError(error) }
}

extension QualityOfService {
    /// How routers treat publications, as in `rmw_zenoh`: a full queue drops them unless all are to be kept.
    var zenoh: ZenohQoS {
        let isReliable = reliability != .bestEffort
        return ZenohQoS(blocks: isReliable && history == .keepAll, isReliable: isReliable)
    }
}
