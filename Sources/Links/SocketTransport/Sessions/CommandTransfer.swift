internal import UAVLink

/// A large command that has come whole and was not looked at yet: a million points take 50 ms here, longer on a vehicle's
/// computer, and whoever steers must not wait for that.
struct CommandTransfer: Sendable {
    let id: UInt64
    let bytes: [UInt8]

    /// What it holds; `nil` when it is no command, or that of another transfer.
    func decoded() -> DecodedCommand? {
        do throws(WireError) {
            return try EncodedPayload.read(bytes) { reader throws(WireError) in
                guard try reader.integer(UInt8.self) == FrameKind.command.rawValue else { throw .invalid }
                let request = try CommandRequest(&reader)
                guard request.id == id else { throw .invalid }
                return DecodedCommand(request)
            }
        } catch {
            return nil
        }
    }
}

/// A command as the ground asked for it, with what is wrong with it.
struct DecodedCommand: Sendable {
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
