internal import MRSMessages
public import ROSMessages
public import UAVLink
internal import YAML

/// Splits the output of `rostopic echo` into messages: one YAML document each, terminated by a line `---`.
///
/// Input may be split at any byte. An invalid document is reported once; parsing continues after it.
public struct EchoStream: Sendable {
    /// Bound of one document; the largest of these topics prints about 4 KB.
    public static let maximumDocumentBytes = 256 * 1024

    /// The topic being printed.
    public let topic: VehicleTopic
    private let reader: YAMLMessage
    private var pending: [UInt8] = []
    private var isSkipping = false

    private static let limits = YAMLLimits(bytes: maximumDocumentBytes, depth: 16, nodes: 20_000)

    /// Creates a parser for a topic's output.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `internalFault` if our own definition of the topic's type is wrong.
    public init(_ topic: VehicleTopic) throws(LinkError) {
        self.topic = topic
        do {
            reader = try YAMLMessage(topic.messageType)
        } catch {
            throw LinkError(.internalFault, "\(error)")
        }
    }

    /// Consumes the next bytes of output and returns the messages that they complete, serialised.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `protocolViolation` for a document that is too long or not YAML,
    ///   `typeMismatch` for one that does not match the topic's type; only if the call completes no message.
    public mutating func take(_ printed: some Sequence<UInt8>) throws(LinkError) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var failure: LinkError?
        for byte in printed {
            pending.append(byte)
            let endsDocument = byte == 0x0A && Self.isRule(pending)
            if !isSkipping, pending.count > Self.maximumDocumentBytes + Self.rule.count {
                failure = LinkError(
                    .protocolViolation,
                    "a message of '\(topic.rawValue)' is longer than \(Self.maximumDocumentBytes) bytes as YAML")
                isSkipping = true
            }
            if endsDocument {
                if !isSkipping {
                    do {
                        if let message = try message(from: pending.dropLast(Self.rule.count)) {
                            messages.append(message)
                        }
                    } catch {
                        failure = error
                    }
                }
                isSkipping = false
                pending.removeAll(keepingCapacity: true)
            } else if isSkipping, pending.count > Self.maximumDocumentBytes {
                // Keep only what is needed to recognise the next separator line.
                pending.removeFirst(pending.count - Self.rule.count)
            }
        }
        if let failure, messages.isEmpty { throw failure }
        return messages
    }

    private static let rule = Array("---\n".utf8)

    /// Whether the last line is `---`.
    private static func isRule(_ bytes: [UInt8]) -> Bool {
        guard bytes.suffix(rule.count).elementsEqual(rule) else { return false }
        return bytes.count == rule.count || bytes[bytes.count - rule.count - 1] == 0x0A
    }

    private func message(from document: ArraySlice<UInt8>) throws(LinkError) -> [UInt8]? {
        let node: YAMLNode
        do {
            guard let only = try YAMLReader.documents(document, limits: Self.limits).first else { return nil }
            node = only
        } catch {
            throw LinkError(.protocolViolation, "what is printed of '\(topic.rawValue)' is not YAML: \(error)")
        }
        do {
            return try reader.serialised(node)
        } catch {
            throw LinkError(
                .typeMismatch,
                "'\(topic.rawValue)' does not match this program's \(topic.messageType.typeName): \(error)",
                hint: "the vehicle's flight stack may have another version")
        }
    }
}

extension VehicleTopic {
    /// The type of the topic's messages.
    public var messageType: any ROSMessage.Type {
        switch self {
        case .odometry: NavMsgs.Odometry.self
        case .uavState: MRSMsgs.UavState.self
        case .heightAboveGround: MRSMsgs.Float64Stamped.self
        case .estimationDiagnostics: MRSMsgs.EstimationDiagnostics.self
        case .controlDiagnostics: MRSMsgs.ControlManagerDiagnostics.self
        case .currentConstraints: MRSMsgs.DynamicsConstraints.self
        case .constraintDiagnostics: MRSMsgs.ConstraintManagerDiagnostics.self
        case .gainDiagnostics: MRSMsgs.GainManagerDiagnostics.self
        case .hardwareStatus: MRSMsgs.HwApiStatus.self
        case .battery: SensorMsgs.BatteryState.self
        case .gnss: SensorMsgs.NavSatFix.self
        case .distanceSensor: SensorMsgs.Range.self
        case .uavStatus: MRSMsgs.UavStatus.self
        case .velocityReference: MRSMsgs.VelocityReferenceStamped.self
        }
    }

    /// The topics that a link over shells reads. Each takes a Python process on the vehicle, so only a few, of 10 Hz or
    /// less. They cover pose, velocity, height, estimator, tracker, flight state and battery, but not the GNSS fix and
    /// the range finder.
    public static let printable: [Self] = [.estimationDiagnostics, .controlDiagnostics, .battery, .uavStatus]
}

extension TelemetryAssembler {
    /// Adds a serialised message of a topic.
    ///
    /// - Throws: ``ROSMessages/ROSDecodingError`` if the bytes are not of the topic's type.
    public mutating func take(
        _ topic: VehicleTopic, serialised bytes: [UInt8], at now: MonotonicTime
    ) throws(ROSDecodingError) {
        switch topic {
        case .odometry: take(try NavMsgs.Odometry(serialised: bytes), at: now)
        case .uavState: take(try MRSMsgs.UavState(serialised: bytes), at: now)
        case .heightAboveGround: take(heightAboveGround: try MRSMsgs.Float64Stamped(serialised: bytes), at: now)
        case .estimationDiagnostics: take(try MRSMsgs.EstimationDiagnostics(serialised: bytes), at: now)
        case .controlDiagnostics: take(try MRSMsgs.ControlManagerDiagnostics(serialised: bytes), at: now)
        case .constraintDiagnostics: take(try MRSMsgs.ConstraintManagerDiagnostics(serialised: bytes))
        case .gainDiagnostics: take(try MRSMsgs.GainManagerDiagnostics(serialised: bytes))
        case .hardwareStatus: take(try MRSMsgs.HwApiStatus(serialised: bytes), at: now)
        case .battery: take(try SensorMsgs.BatteryState(serialised: bytes), at: now)
        case .gnss: take(try SensorMsgs.NavSatFix(serialised: bytes), at: now)
        case .distanceSensor: take(try SensorMsgs.Range(serialised: bytes), at: now)
        case .uavStatus: take(try MRSMsgs.UavStatus(serialised: bytes), at: now)
        case .velocityReference, .currentConstraints: break
        }
    }
}
