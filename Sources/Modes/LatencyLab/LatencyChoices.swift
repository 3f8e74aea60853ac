package import LatencyMeasurement
package import Impairment
internal import UAVLink
package import VehicleAccess

/// The user's selection of what to measure.
package struct LatencyChoices: Hashable, Sendable {
    /// A network condition that can be selected.
    package struct Condition: Hashable, Sendable {
        /// The impairment of the network.
        package var impairment: Impairment
        /// Whether the condition is selected.
        package var isChosen: Bool
        /// Whether the user entered it.
        package var isCustom: Bool
    }

    /// The selected links.
    package var links: Set<MeasuredLink>
    /// The network conditions in the order of display.
    package private(set) var conditions: [Condition]
    /// The duration of the measurement of all links together under each condition, seconds.
    package var seconds: Int = 20
    /// How many rounds each condition has, in place of ``seconds``; `nil` for as many as fit.
    package var rounds: Int?
    /// The setpoint rate, Hz.
    package var rateHertz: Double = 100
    /// Whether to measure motion: the vehicle moves, in flight only.
    package var measuresMotion = false
    /// Whether the selected vehicle is known to be simulated, whatever its profile is called.
    package var isSimulated = false

    /// The durations (seconds) and rates (Hz) that the arrow keys select.
    static let (lengths, rates) = ([3, 5, 10, 20, 30, 60, 120, 300, 900, 1800], [10.0, 20, 50, 100, 200, 500])
    /// The numbers of rounds that the arrow keys select: 14 are the least in which seven links are balanced, 30 have a verdict.
    static let roundCounts = [10, 14, 20, 30, 60, 120]
    /// The durations that can be entered, seconds; as on the command line.
    static let longest = 1...86_400
    /// The most conditions.
    static let maximumConditions = 40
    /// The predefined conditions: no impairment, and four of increasing severity, up to a bad mobile connection.
    static let usual: [Impairment] = [
        .none, Impairment(delay: .milliseconds(5)),
        Impairment(delay: .milliseconds(20), jitter: .milliseconds(5)),
        Impairment(delay: .milliseconds(20), jitter: .milliseconds(5), loss: 0.02),
        Impairment(
            delay: .milliseconds(40), jitter: .milliseconds(10), loss: 0.05, duplication: 0.01, reordering: 0.01,
            bitsPerSecond: 2e6),
    ]
    /// Additional time per condition: warm-up, and waiting for the last samples.
    private static let overheadSeconds = 2.0
    /// The time of one motion measurement (push, hover, return) on the simulated vehicle.
    private static let motionSeconds = 5.0

    /// Creates the default selection: all links (TCP and UDP for a local vehicle) without impairment.
    package init(_ profile: VehicleProfile? = nil) {
        conditions = Self.usual.enumerated().map { index, impairment in
            Condition(impairment: impairment, isChosen: index == 0, isCustom: false)
        }
        links = profile?.isLocal == true ? [.tcp, .udp] : Set(MeasuredLink.flown)
    }

    /// Selects or deselects a condition.
    mutating func toggle(condition index: Int) {
        guard conditions.indices.contains(index) else { return }
        conditions[index].isChosen.toggle()
    }

    /// Adds and selects a condition entered by the user; an existing one is selected.
    ///
    /// - Returns: the index of the condition; `nil` when there are too many.
    @discardableResult
    mutating func add(_ impairment: Impairment) -> Int? {
        if let known = conditions.firstIndex(where: { $0.impairment == impairment }) {
            conditions[known].isChosen = true
            return known
        }
        guard conditions.count < Self.maximumConditions else { return nil }
        conditions.append(Condition(impairment: impairment, isChosen: true, isCustom: true))
        return conditions.count - 1
    }

    /// Removes a condition that the user entered; predefined ones are kept.
    mutating func remove(condition index: Int) {
        guard conditions.indices.contains(index), conditions[index].isCustom else { return }
        conditions.remove(at: index)
    }

    /// The next larger (step > 0) or smaller of the predefined values.
    static func next<Value: Comparable>(_ value: Value, _ step: Int, in values: [Value]) -> Value {
        (step > 0 ? values.first { $0 > value } : values.last { $0 < value }) ?? value
    }

    /// The selected links that can be measured on a vehicle, in their order.
    func links(for profile: VehicleProfile?) -> [MeasuredLink] {
        MeasuredLink.flown.filter { links.contains($0) && obstacle(to: $0, profile) == nil }
    }

    /// Why the selection cannot be measured; `nil` when it can.
    func problem(for profile: VehicleProfile?) -> String? {
        if links(for: profile).isEmpty { return "no link selected: select one with Enter" }
        if !conditions.contains(where: \.isChosen) { return "no network condition selected: select one with Enter" }
        return nil
    }

    /// The estimated duration, seconds, without opening the links.
    func plannedSeconds(for profile: VehicleProfile?) -> Double {
        let links = links(for: profile)
        let pushes = measuresMotion ? links.count * MeasuringPlan.usualPushes : 0
        let length = MeasuringPlan(links: links, rounds: rounds, duration: duration, rateHertz: rateHertz)
            .estimatedSeconds
        return Double(conditions.count { $0.isChosen }) * Self.seconds(of: length, moving: pushes)
    }

    private var duration: Duration? { rounds == nil ? .seconds(seconds) : nil }

    /// The estimated duration of one condition, seconds.
    ///
    /// - Parameters:
    ///   - length: the duration of the measurement, seconds.
    ///   - pushes: how often the vehicle is moved.
    static func seconds(of length: Double, moving pushes: Int) -> Double {
        length + overheadSeconds + Double(pushes) * motionSeconds
    }

    /// The measuring plan for a vehicle.
    func plan(for profile: VehicleProfile) -> MeasuringPlan {
        var plan = MeasuringPlan(
            links: links(for: profile),
            conditions: conditions.filter(\.isChosen).map(\.impairment), rounds: rounds, duration: duration,
            rateHertz: rateHertz, measuresMotion: measuresMotion)
        plan.commandLine = LatencyCommandLine.text(plan, for: profile)
        return plan
    }

    /// Why a link cannot be measured on the selected vehicle; `nil` when it can be tried.
    func obstacle(to link: MeasuredLink, _ profile: VehicleProfile?) -> String? {
        Self.obstacle(to: link, profile, isSimulated: isSimulated)
    }

    /// Why a link cannot be measured on this vehicle; `nil` when it can be tried.
    ///
    /// - Parameter isSimulated: whether it is known to be simulated. A ROS master that the environment names has another vehicle.
    package static func obstacle(
        to link: MeasuredLink, _ profile: VehicleProfile?, isSimulated: Bool = false
    ) -> String? {
        let needsHost = profile?.isLocal == true ? "needs a host to log in to" : nil
        let needsROS = isSimulated || profile?.isSimulatedOnly == true ? "the simulated vehicle has no ROS" : nil
        // With ROS 2 they cannot be opened: a measurement would only list them as failed.
        let isTwo = profile?.ros.isTwo == true
        return switch link {
        // What is run on the vehicle's computer calls services of ROS.
        case .ssh, .sshShell: needsHost ?? needsROS ?? (isTwo ? "calls by ROS 2's own programs are not measured" : nil)
        case .sshPersistent: needsHost ?? needsROS ?? (isTwo ? "its process on the vehicle needs rospy, of ROS 1" : nil)
        case .sshTunnel: needsHost
        case .ros: needsROS
        case .rosbridge: needsROS ?? (isTwo ? "a rosbridge server of ROS 2 is not measured" : nil)
        case .tcp, .udp: nil
        case .direct: "needs the address of a machine: --link ardrone://HOST or tello://HOST"
        }
    }
}
