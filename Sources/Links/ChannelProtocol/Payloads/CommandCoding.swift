internal import UAVLink

/// A command on the wire: in one frame, or in fragments when it is larger.
struct CommandRequest: Equatable {
    /// Counts commands of the session from 1.
    var id: UInt64
    /// The companion must not start it after this, nanoseconds on the ground's clock.
    var deadline: Int64
    /// The time left when it was sent; used until the clock offset is known.
    var remainingMicroseconds: UInt32
    /// Setpoints up to this number were issued before the command and must not act after it.
    var afterSetpoint: UInt64
    var command: Command
    /// How many stops of the companion the ground knew of when the command was given; `nil` until it has received that number, which
    /// also tells it that the companion reads it.
    var knownStops: UInt64?

    func write(_ writer: inout WireWriter) {
        writer.put(knownStops == nil ? FrameKind.command : FrameKind.orderedCommand)
        writer.put(id)
        writer.put(deadline)
        writer.put(remainingMicroseconds)
        writer.put(afterSetpoint)
        if let knownStops { writer.put(knownStops) }
        command.write(&writer)
    }

    /// An upper bound of the encoded size.
    var largestSize: Int {
        if case .uploadTrajectory(let trajectory) = command { return 512 + 32 * trajectory.points.count }
        return 512
    }

    init(
        id: UInt64, deadline: Int64, remainingMicroseconds: UInt32, afterSetpoint: UInt64, command: Command,
        knownStops: UInt64? = nil
    ) {
        self.id = id
        self.deadline = deadline
        self.remainingMicroseconds = remainingMicroseconds
        self.afterSetpoint = afterSetpoint
        self.command = command
        self.knownStops = knownStops
    }

    /// Reads what follows the kind of the frame.
    ///
    /// - Parameter isOrdered: whether it is ``FrameKind/orderedCommand``.
    init(_ reader: inout WireReader, isOrdered: Bool) throws(WireError) {
        id = try reader.integer()
        guard id > 0 else { throw .invalid }
        deadline = try reader.integer()
        remainingMicroseconds = try reader.integer()
        afterSetpoint = try reader.integer()
        knownStops = isOrdered ? try reader.integer() : nil
        command = try Command(&reader)
        try reader.end()
    }
}

/// The numbers of commands on the wire.
private enum CommandCode: UInt8 {
    case arm = 1
    case enableOutput = 2
    case offboard = 3
    case takeoff = 4
    case land = 5
    case landHome = 6
    case hover = 7
    case emergencyHover = 8
    case emergencyLand = 9
    case goTo = 10
    case altitude = 11
    case heading = 12
    case turn = 13
    case uploadTrajectory = 14
    case goToTrajectoryStart = 15
    case startTrajectory = 16
    case stopTrajectory = 17
    case resumeTrajectory = 18
    case snapshot = 19
}

extension Command {
    fileprivate func write(_ writer: inout WireWriter) {
        writer.put(code.rawValue)
        switch self {
        case .arm(let on), .enableOutput(let on): writer.put(on)
        case .goTo(let destination): destination.write(&writer)
        case .altitude(let value), .heading(let value), .turn(let value): writer.put(value)
        case .uploadTrajectory(let trajectory): trajectory.write(&writer)
        case .snapshot(let service): writer.put(text: service, limit: ChannelLimits.name)
        case .offboard, .takeoff, .land, .landHome, .hover, .emergencyHover, .emergencyLand, .goToTrajectoryStart,
            .startTrajectory, .stopTrajectory, .resumeTrajectory:
            break
        }
    }

    private var code: CommandCode {
        switch self {
        case .arm: .arm
        case .enableOutput: .enableOutput
        case .offboard: .offboard
        case .takeoff: .takeoff
        case .land: .land
        case .landHome: .landHome
        case .hover: .hover
        case .emergencyHover: .emergencyHover
        case .emergencyLand: .emergencyLand
        case .goTo: .goTo
        case .altitude: .altitude
        case .heading: .heading
        case .turn: .turn
        case .uploadTrajectory: .uploadTrajectory
        case .goToTrajectoryStart: .goToTrajectoryStart
        case .startTrajectory: .startTrajectory
        case .stopTrajectory: .stopTrajectory
        case .resumeTrajectory: .resumeTrajectory
        case .snapshot: .snapshot
        }
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        guard let code = CommandCode(rawValue: try reader.integer()) else { throw .invalid }
        switch code {
        case .arm: self = .arm(try reader.flag())
        case .enableOutput: self = .enableOutput(try reader.flag())
        case .offboard: self = .offboard
        case .takeoff: self = .takeoff
        case .land: self = .land
        case .landHome: self = .landHome
        case .hover: self = .hover
        case .emergencyHover: self = .emergencyHover
        case .emergencyLand: self = .emergencyLand
        case .goTo: self = .goTo(try Destination(&reader))
        case .altitude: self = .altitude(metres: try reader.finite())
        case .heading: self = .heading(radians: try reader.finite())
        case .turn: self = .turn(byRadians: try reader.finite())
        case .uploadTrajectory: self = .uploadTrajectory(try Trajectory(&reader))
        case .goToTrajectoryStart: self = .goToTrajectoryStart
        case .startTrajectory: self = .startTrajectory
        case .stopTrajectory: self = .stopTrajectory
        case .resumeTrajectory: self = .resumeTrajectory
        case .snapshot: self = .snapshot(service: try reader.text(limit: ChannelLimits.name))
        }
    }
}

extension Command.Destination {
    fileprivate func write(_ writer: inout WireWriter) {
        switch reference {
        case .frame(let frame):
            writer.put(0 as UInt8)
            writer.put(text: frame.name, limit: ChannelLimits.name)
        case .relative: writer.put(1 as UInt8)
        case .body: writer.put(2 as UInt8)
        }
        writer.put(position.x)
        writer.put(position.y)
        writer.put(position.z)
        writer.put(headingRadians)
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let reference: Reference
        switch try reader.integer(UInt8.self) {
        case 0: reference = .frame(try FrameName(&reader))
        case 1: reference = .relative
        case 2: reference = .body
        default: throw .invalid
        }
        let position = Vector3(x: try reader.finite(), y: try reader.finite(), z: try reader.finite())
        self.init(reference, position: position, headingRadians: try reader.finite())
    }
}

extension FrameName {
    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        self.init(try reader.text(limit: ChannelLimits.name))
        guard isValid else { throw .invalid }
    }
}

extension Trajectory {
    fileprivate func write(_ writer: inout WireWriter) {
        writer.put(text: frame.name, limit: ChannelLimits.name)
        writer.put(timeStepSeconds)
        writer.put((usesHeading ? 1 : 0) as UInt8 | (fliesNow ? 2 : 0) | (loops ? 4 : 0))
        writer.put(UInt32(truncatingIfNeeded: points.count))
        for point in points {
            writer.put(point.position.x)
            writer.put(point.position.y)
            writer.put(point.position.z)
            writer.put(point.headingRadians)
        }
    }

    fileprivate init(_ reader: inout WireReader) throws(WireError) {
        let frame = try FrameName(&reader)
        let step = try reader.finite()
        guard step > 0 else { throw .invalid }
        let flags = try reader.integer(UInt8.self)
        guard flags & ~7 == 0 else { throw .invalid }
        let count = Int(try reader.integer(UInt32.self))
        guard count > 0, count <= Trajectory.maximumPoints else { throw .invalid }
        // Check that the points are present before allocating memory for them.
        guard reader.remaining == 32 * count else { throw reader.remaining < 32 * count ? .truncated : .trailing }
        var points: [Point] = []
        points.reserveCapacity(count)
        for _ in 0..<count {
            let position = Vector3(x: try reader.finite(), y: try reader.finite(), z: try reader.finite())
            points.append(Point(position: position, headingRadians: try reader.finite()))
        }
        self.init(
            frame: frame, points: points, timeStepSeconds: step, usesHeading: flags & 1 != 0, fliesNow: flags & 2 != 0,
            loops: flags & 4 != 0)
    }
}
