package import MRS
internal import MRSMessages
internal import ROSBridge
internal import Synchronization
internal import SystemKit
package import UAVLink

/// A rosbridge server as the laboratory measures it: JSON over a WebSocket.
package final class ROSBridgePeer: LaboratoryPeer {
    /// A message of telemetry, and when it had arrived.
    package typealias Heard = (stampedAt: MonotonicTime?, arrivedAt: MonotonicTime)

    /// What the client hands messages to; on its I/O thread.
    private final class Receiver: Sendable {
        let inbox: Mutex<ROSBridgeInbox>

        init(_ topic: String) { inbox = Mutex(ROSBridgeInbox(topic: topic)) }
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
    /// How often an answer is looked for where somebody waits for it; when it arrived is noted by the reader.
    private static let look: Duration = .milliseconds(2)

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
        let receiver = Receiver(names.name(of: Self.telemetry))
        do throws(ROSBridgeError) {
            let setpoints = try BridgeEncoder(MRSMsgs.VelocityReferenceStamped.self)
            let began = clock.now
            let client = try await WebSocketClient.connect(
                to: .init(host: host, port: port, place: address.place), within: timeout
            ) { text in
                let now = clock.now
                receiver.inbox.withLock { $0.take(text, at: now, wall: WallTime.now) }
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
        receiver.inbox.withLock { inbox in
            inbox.isListening = isListening
            if isListening { inbox.heard = [] }
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
        receiver.inbox.withLock { inbox in
            defer { inbox.heard = [] }
            return inbox.heard
        }
    }

    // MARK: Answers

    package func takeAnswers(
        _ numbers: Range<Int>, within timeout: Duration
    ) async -> [Int: LaboratoryAnswer] {
        let deadline = clock.now + timeout
        while clock.now < deadline, !Task.isCancelled, failure == nil {
            if receiver.inbox.withLock({ inbox in numbers.allSatisfy { inbox.answers[$0] != nil } }) { break }
            try? await Task.sleep(for: Self.look)
        }
        return receiver.inbox.withLock { inbox in
            var taken: [Int: LaboratoryAnswer] = [:]
            for number in numbers { taken[number] = inbox.answers.removeValue(forKey: number) }
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
        if let problem = receiver.inbox.withLock({ $0.problem }) {
            throw LinkError(
                .remoteFailed, "\(server) reports: \(problem)",
                hint: "it needs the vehicle's message types in its environment (mrs_msgs)")
        }
    }

    package var failure: LinkError? {
        receiver.inbox.withLock { $0.failure } ?? client.failure.map { LinkError($0) }
    }

    package func close() async { await client.close() }
}
