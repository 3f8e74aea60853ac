internal import JSON
internal import MRSMessages
internal import ReportKit
internal import ROSBridge
internal import ROSMessages
internal import UAVLink

/// What a rosbridge server has said to a ``ROSBridgePeer``. No clock, no I/O.
struct ROSBridgeInbox: Sendable {
    /// The topic of telemetry.
    let topic: String
    /// The answers to calls, by their ids.
    var answers: [Int: LaboratoryAnswer] = [:]
    /// The telemetry, and when it was stamped on the vehicle, on this machine's clock as if that were the vehicle's; `nil` if it was
    /// not.
    var heard: [ROSBridgePeer.Heard] = []
    /// Whether telemetry is kept.
    var isListening = false
    /// The last error that the server reported; from outside.
    private(set) var problem: String?
    /// Why nothing more is expected of it.
    private(set) var failure: LinkError?

    /// More than a turn of two seconds has, with what came too late in those before it.
    static let (mostAnswers, mostHeard) = (100_000, 20_000)
    /// As `PoseStamps`: a larger difference is of another clock.
    private static let longestDelay: Duration = .seconds(10)

    init(topic: String) { self.topic = topic }

    /// Takes a text message.
    ///
    /// - Parameters:
    ///   - now: when it had arrived.
    ///   - wall: the wall clock then, nanoseconds since 1970.
    mutating func take(_ text: [UInt8], at now: MonotonicTime, wall: Int64) {
        let message: BridgeMessage
        do throws(ROSBridgeError) { message = try BridgeMessage(text) } catch {
            failure = failure ?? LinkError(error)
            return
        }
        switch message {
        case .response(let id?, let isSuccess, let values):
            guard answers.count < Self.mostAnswers else {
                failure = LinkError(.protocolViolation, "the rosbridge server answered what was not asked")
                return
            }
            answers[id] = LaboratoryAnswer(content: Self.content(isSuccess, values), at: now)
        case .publication(topic, let message):
            guard isListening, heard.count < Self.mostHeard else { return }
            heard.append((Self.stamp(of: message, at: now, wall: wall), now))
        case .status("error", let text): problem = text
        case .response, .publication, .status, .other: break
        }
    }

    private static func content(_ isSuccess: Bool, _ values: JSONNode?) -> LaboratoryAnswer.Content {
        guard isSuccess else { return .failure((values?.string ?? "it gave no reason").sanitizedLine) }
        guard let accepted = values?["success"]?.bool, let message = values?["message"]?.string else {
            return .failure("its answer has no 'success' and 'message'")
        }
        return .response(StdSrvs.Trigger.Response(success: accepted, message: message).serialised)
    }

    private static func stamp(of message: JSONNode, at now: MonotonicTime, wall: Int64) -> MonotonicTime? {
        let stamp = message["header"]?["stamp"]
        guard let seconds = stamp?["secs"]?.number.flatMap({ UInt32(exactly: $0) }),
            let nanoseconds = stamp?["nsecs"]?.number.flatMap({ UInt32(exactly: $0) }), seconds > 0
        else { return nil }
        let stamped = Int64(seconds) * 1_000_000_000 + Int64(nanoseconds)
        let stampedAt = MonotonicTime(nanoseconds: stamped &- (wall &- now.nanoseconds))
        let delay = now - stampedAt
        return delay < longestDelay && delay > .zero - longestDelay ? stampedAt : nil
    }
}

extension LinkError {
    init(_ error: ROSBridgeError) {
        let code: Code =
            switch error.code {
            case .unreachable, .refused: .unreachable
            case .protocolViolation, .tooLarge: .protocolViolation
            case .notConnected: .notConnected
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .closed: .closed
            case .invalidValue: .invalidInput
            case .systemFailure: .internalFault
            }
        self.init(code, error.what, hint: error.hint)
    }
}
