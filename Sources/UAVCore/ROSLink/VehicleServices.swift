internal import ROS1
internal import Synchronization
internal import UAVLink

/// Kept connections to the vehicle's services, each made at its first call.
final class VehicleServices: Sendable {
    private typealias Call = @Sendable (ServiceCall, Duration) async throws(ROSError) -> CommandReply

    private let node: ROSNode
    private let names: VehicleNames
    private let calls = Mutex<[VehicleService: Call]>([:])

    init(node: ROSNode, names: VehicleNames) {
        self.node = node
        self.names = names
    }

    /// Calls a service and returns the vehicle's answer; a call that its node ends with an error is a refusal.
    func perform(_ call: ServiceCall, within timeout: Duration) async throws(LinkError) -> CommandReply {
        do {
            let perform = try calls.withLock { calls throws(ROSError) in
                if let known = calls[call.service] { return known }
                let made = try make(for: call)
                calls[call.service] = made
                return made
            }
            return try await perform(call, timeout)
        } catch {
            let name = names.name(of: call.service)
            if error.code == .serviceFailed {
                // The client puts words of its own where the vehicle has none.
                return call.refusal(error.what == "\(name) failed without a reason" ? "" : error.what)
            }
            throw LinkError(error, calling: name)
        }
    }

    private func make(for call: ServiceCall) throws(ROSError) -> Call {
        let name = names.name(of: call.service)
        // What each service is sent is fixed by its name, so the request of every later call has the same type.
        switch call.request {
        case .trigger:
            return try make(StdSrvs.Trigger.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .bool: return try make(StdSrvs.SetBool.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .number: return try make(MRSMsgs.Vec1.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .place: return try make(MRSMsgs.Vec4.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .reference:
            return try make(MRSMsgs.ReferenceStampedSrv.self, name) {
                $0.reply(accepted: $1.success, message: $1.message)
            }
        case .trajectory:
            return try make(MRSMsgs.TrajectoryReferenceSrv.self, name) {
                $0.reply(accepted: $1.success, message: $1.message, modified: $1.modified)
            }
        case .velocity:
            return try make(MRSMsgs.VelocityReferenceStampedSrv.self, name) {
                $0.reply(accepted: $1.success, message: $1.message)
            }
        }
    }

    private func make<Service: ROSService>(
        _ type: Service.Type, _ name: String,
        reply: @escaping @Sendable (ServiceCall, Service.Response) -> CommandReply
    ) throws(ROSError) -> Call {
        let client = try node.serviceClient(name, type: type)
        return { (call, timeout) async throws(ROSError) -> CommandReply in
            guard let request = call.message as? Service.Request else {
                throw ROSError(.misuse, "\(name) is called with two types")
            }
            return reply(call, try await client.call(request, within: timeout))
        }
    }
}

extension LinkError {
    /// What a failure in the ROS graph means to whoever flies.
    init(_ error: ROSError, calling service: String? = nil) {
        let code: Code =
            switch error.code {
            case .invalidName, .invalidConfiguration: .invalidInput
            case .masterUnreachable: .rosMasterUnreachable
            case .noProvider, .unreachable: .serviceMissing
            case .typeMismatch: .typeMismatch
            case .cancelled: .cancelled
            case .closed: .closed
            case .refused, .serviceFailed: .remoteFailed
            // After all of these it is not known whether the vehicle acted, which is what this code says.
            case .timedOut, .connectionLost: .timedOut
            case .protocolViolation, .tooLarge: service == nil ? .protocolViolation : .timedOut
            case .misuse, .systemFailure, .badBag, .noSuchParameter: .internalFault
            }
        let hint =
            switch error.code {
            case .noProvider where error.hint.isEmpty: "is the flight stack running, and is the vehicle's name right?"
            case .unreachable where error.hint.isEmpty:
                "the node may have died, or ROS_IP or ROS_HOSTNAME of the vehicle names an address that is wrong from here"
            default: error.hint
            }
        self.init(code, error.what, hint: hint)
    }
}
