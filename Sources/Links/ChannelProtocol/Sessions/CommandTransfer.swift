internal import UAVLink

/// A large command, complete but not decoded: decoding a million points takes 50 ms here, longer on a vehicle's computer, and
/// steering must not wait for that.
package struct CommandTransfer: Sendable {
    package let id: UInt64
    package let bytes: [UInt8]

    /// The decoded command; `nil` when it is none, or has another transfer's id.
    package func decoded() -> DecodedCommand? {
        do throws(WireError) {
            return try EncodedPayload.read(bytes) { reader throws(WireError) in
                let kind = FrameKind(rawValue: try reader.integer())
                guard kind == .command || kind == .orderedCommand else { throw .invalid }
                let request = try CommandRequest(&reader, isOrdered: kind == .orderedCommand)
                guard request.id == id else { throw .invalid }
                return DecodedCommand(request)
            }
        } catch {
            return nil
        }
    }
}

/// A decoded command, with its validation error if it is invalid.
package struct DecodedCommand: Sendable {
    let request: CommandRequest
    let flaw: LinkError?

    init(_ request: CommandRequest) {
        self.request = request
        do throws(LinkError) {
            try request.command.validate()
            flaw = nil
        } catch {
            flaw = error
        }
    }
}
