internal import JSON
package import MRS
internal import MRSMessages
internal import ReportKit
internal import ROSBridge
internal import ROSMessages
internal import Synchronization
internal import SystemKit
package import UAVLink

/// A rosbridge server as the laboratory measures it: JSON over a WebSocket.
package final class ROSBridgePeer: LaboratoryPeer {
    /// A message of telemetry that has arrived, and when it was stamped on the vehicle, on this machine's clock as if that were the
    /// vehicle's; `nil` if it was not.
    package typealias Heard = (stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)

    private struct State: Sendable {
        var answers: [Int: LaboratoryAnswer] = [:]
        var heard: [Heard] = []
        var isListening = false
        /// The last error that the server reported.
        var problem: String?
        var failure: LinkError?
    }

    /// What the client hands messages to; on its I/O thread.
    private final class Receiver: Sendable {
        let state = Mutex(State())
    }

    private let client: WebSocketClient
    private let receiver: Receiver
    private let clock: any MonotonicClock
    private let names: VehicleNames
    private let address: ROSBridgeAddress
    private let setpoints: BridgeEncoder
    /// From the request for the connection to the end of the handshake.
    package let connectNanoseconds: Int64

    /// A message is not sent while so many bytes wait for the network: as to a persistent process.
    private static let queueLimit = 32 * 1024
    /// More than a turn of two seconds has, with what came too late in those before it.
    private static let (mostAnswers, mostHeard) = (100_000, 20_000)
    /// How often an answer is looked for where somebody waits for it; when it arrived is noted by the reader.
    private static let look: Duration = .milliseconds(2)
    /// As `PoseStamps`: a larger difference is of another clock.
    private static let longestDelay: Duration = .seconds(10)

    private init(
        _ client: WebSocketClient, _ receiver: Receiver, _ address: ROSBridgeAddress, _ names: VehicleNames,
        _ setpoints: BridgeEncoder, _ clock: any MonotonicClock, since began: MonotonicTime
    ) {
        (self.client, self.receiver, self.address, self.names) = (client, receiver, address, names)
        (self.setpoints, self.clock) = (setpoints, clock)
        connectNanoseconds = (clock.now - began).nanoseconds
    }

    /// Connects, and announces the topic of setpoints.
    ///
    /// - Parameters:
    ///   - host: what to connect to, with `port`: the server, or a relay in front of it.
    ///   - names: of the vehicle's services and topics.
    /// - Throws: ``LinkError`` with `unreachable`, `timedOut`, `protocolViolation` or `notConnected`.
    static func connect(
        to address: ROSBridgeAddress, host: String, port: UInt16, names: VehicleNames, clock: any MonotonicClock,
        within timeout: Duration
    ) async throws(LinkError) -> ROSBridgePeer {
        let (receiver, topic) = (Receiver(), names.name(of: Self.telemetry))
        do throws(ROSBridgeError) {
            let setpoints = try BridgeEncoder(MRSMsgs.VelocityReferenceStamped.self)
            let began = clock.now
            let client = try await WebSocketClient.connect(
                to: .init(host: host, port: port, place: address.place), within: timeout
            ) { text in
                let now = clock.now
                receiver.state.withLock { Self.take(text, at: now, on: topic, into: &$0) }
            }
            let peer = ROSBridgePeer(client, receiver, address, names, setpoints, clock, since: began)
            _ = try client.send(
                BridgeRequest.advertise(peer.topic, type: MRSMsgs.VelocityReferenceStamped.typeName),
                limit: Self.queueLimit)
            return peer
        } catch {
            throw LinkError(error)
        }
    }

    /// The topic with the best source of the pose, as of ``ROSLink``.
    private static let telemetry = VehicleTopic.uavState

    private var topic: String { names.name(of: .velocityReference) }

    // MARK: What arrives

    private static func take(_ text: [UInt8], at now: MonotonicTime, on topic: String, into state: inout State) {
        let message: BridgeMessage
        do throws(ROSBridgeError) { message = try BridgeMessage(text) } catch {
            state.failure = state.failure ?? LinkError(error)
            return
        }
        switch message {
        case .response(let id?, let isSuccess, let values):
            guard state.answers.count < mostAnswers else {
                state.failure = LinkError(.protocolViolation, "the rosbridge server answered what was not asked")
                return
            }
            state.answers[id] = LaboratoryAnswer(content: content(isSuccess, values), at: now)
        case .publication(topic, let message):
            guard state.isListening, state.heard.count < mostHeard else { return }
            state.heard.append((stamp(of: message, at: now), now))
        case .status("error", let text): state.problem = text
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

    private static func stamp(of message: JSONNode, at now: MonotonicTime) -> MonotonicTime? {
        let stamp = message["header"]?["stamp"]
        guard let seconds = stamp?["secs"]?.number.flatMap({ UInt32(exactly: $0) }),
            let nanoseconds = stamp?["nsecs"]?.number.flatMap({ UInt32(exactly: $0) }), seconds > 0
        else { return nil }
        let wall = Int64(seconds) * 1_000_000_000 + Int64(nanoseconds)
        let stampedAt = MonotonicTime(nanoseconds: wall &- (WallTime.now &- now.nanoseconds))
        let delay = now - stampedAt
        return delay < longestDelay && delay > .zero - longestDelay ? stampedAt : nil
    }

    // MARK: What is sent

    package func call(_ call: ServiceCall, number: Int) throws(LinkError) -> [UInt8] {
        let message = call.message
        do throws(ROSBridgeError) {
            let arguments = try BridgeEncoder(type(of: message)).json(message)
            return BridgeRequest.call(names.name(of: call.service), id: number, arguments: arguments)
        } catch { throw LinkError(error) }
    }

    package func steer(_ setpoint: VelocitySetpoint, number: Int) throws(LinkError) -> [UInt8] {
        try setpoint.validate()
        do throws(ROSBridgeError) {
            return BridgeRequest.publish(topic, try setpoints.json(MRSMsgs.VelocityReferenceStamped(setpoint)))
        } catch { throw LinkError(error) }
    }

    package func send(_ message: [UInt8]) throws(LinkError) -> Bool {
        if let failure { throw failure }
        do throws(ROSBridgeError) { return try client.send(message, limit: Self.queueLimit) } catch {
            throw LinkError(error)
        }
    }

    /// Begins or ends to receive telemetry; what has arrived before is forgotten when it begins.
    package func listen(_ isListening: Bool) {
        receiver.state.withLock { state in
            state.isListening = isListening
            if isListening { state.heard = [] }
        }
        let name = names.name(of: Self.telemetry)
        let message =
            isListening
            ? BridgeRequest.subscribe(to: name, type: MRSMsgs.UavState.typeName)
            : BridgeRequest.unsubscribe(from: name)
        // However much waits: what is lost of it leaves telemetry on, or off.
        _ = try? client.send(message, limit: .max)
    }

    /// The telemetry that has arrived since ``listen(_:)`` and was not taken.
    package func takeHeard() -> [Heard] {
        receiver.state.withLock { state in
            defer { state.heard = [] }
            return state.heard
        }
    }

    // MARK: Answers

    package func takeAnswers(
        _ numbers: Range<Int>, within timeout: Duration
    ) async -> [Int: LaboratoryAnswer] {
        let deadline = clock.now + timeout
        while clock.now < deadline, !Task.isCancelled, failure == nil {
            if receiver.state.withLock({ state in numbers.allSatisfy { state.answers[$0] != nil } }) { break }
            try? await Task.sleep(for: Self.look)
        }
        return receiver.state.withLock { state in
            var taken: [Int: LaboratoryAnswer] = [:]
            for number in numbers { taken[number] = state.answers.removeValue(forKey: number) }
            return taken
        }
    }

    /// Checks the answer to a first call, which the server has read after all that was sent before it.
    ///
    /// - Throws: ``LinkError`` with `serviceMissing`, `remoteFailed` or `timedOut`.
    package func check(_ answer: LaboratoryAnswer?, of call: ServiceCall) throws(LinkError) {
        let (server, service) = ("the rosbridge server at \(address.place)", names.name(of: call.service))
        guard let answer else {
            throw failure
                ?? LinkError(
                    .timedOut, "\(server) does not answer a call of \(service)",
                    hint: "does the vehicle answer it? ('rosservice info \(service)' on its computer)")
        }
        if case .failure(let reason) = answer.content {
            throw LinkError(
                .serviceMissing, "\(server) cannot call \(service): \(reason)",
                hint: "is the vehicle '\(names.vehicle)' (--uav), and does its flight stack run there?")
        }
        if let problem = receiver.state.withLock({ $0.problem }) {
            throw LinkError(
                .remoteFailed, "\(server) reports: \(problem)",
                hint: "it needs the vehicle's message types in its environment (mrs_msgs)")
        }
    }

    package var failure: LinkError? {
        receiver.state.withLock { $0.failure } ?? client.failure.map { LinkError($0) }
    }

    package func close() async { await client.close() }
}

extension LinkError {
    fileprivate init(_ error: ROSBridgeError) {
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
