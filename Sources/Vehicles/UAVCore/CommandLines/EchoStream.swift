public import ROS1
public import UAVLink
internal import YAML

/// Takes apart what `rostopic echo` prints: a YAML document for each message, each ended by a line `---`.
///
/// Bytes may come in any split. A document that is not one is an error once, and the stream goes on behind it.
public struct EchoStream: Sendable {
    /// The largest of these topics prints about 4 KB.
    public static let maximumDocumentBytes = 256 * 1024

    /// Which topic is printed.
    public let topic: VehicleTopic
    private let reader: YAMLMessage
    private var pending: [UInt8] = []
    private var isSkipping = false

    private static let limits = YAMLLimits(bytes: maximumDocumentBytes, depth: 16, nodes: 20_000)

    /// Nothing printed yet.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `internalFault` when our own definition of the topic's type is wrong.
    public init(_ topic: VehicleTopic) throws(LinkError) {
        self.topic = topic
        do {
            reader = try YAMLMessage(topic.messageType)
        } catch {
            throw LinkError(.internalFault, "\(error)")
        }
    }

    /// Takes what was printed next and returns the messages that it completes, serialised.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `protocolViolation` for a document that is too long or is not YAML,
    ///   `typeMismatch` for one that is not a message of the topic's type; only when no whole message came beside it.
    public mutating func take(_ printed: some Sequence<UInt8>) throws(LinkError) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var failure: LinkError?
        for byte in printed {
            pending.append(byte)
            let endsDocument = byte == 0x0A && Self.isRule(pending)
            if !isSkipping, pending.count > Self.maximumDocumentBytes + Self.rule.count {
                failure = LinkError(
                    .protocolViolation,
                    "a message of '\(topic.rawValue)' prints to more than \(Self.maximumDocumentBytes) bytes")
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
                // What is kept suffices to see the next line's end and rule.
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
            throw LinkError(.protocolViolation, "what '\(topic.rawValue)' prints is not YAML: \(error)")
        }
        do {
            return try reader.serialised(node)
        } catch {
            throw LinkError(
                .typeMismatch, "'\(topic.rawValue)' is not \(topic.messageType.typeName) as we know it: \(error)",
                hint: "the vehicle's flight stack is of another version")
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

    /// The topics that a link over shells reads: each takes a Python program on the vehicle that prints YAML, so only
    /// those of 10 Hz or less, and few. They tell all but the satellites' fix.
    public static let printable: [Self] = [.estimationDiagnostics, .controlDiagnostics, .battery, .uavStatus]
}

extension TelemetryAssembler {
    /// A message of a topic by its bytes.
    ///
    /// - Throws: ``ROS1/ROSDecodingError`` when they are not of the topic's type.
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
