public import LatencyMeasurement
public import Impairment
internal import UAVLink
public import VehicleAccess

/// What a person has chosen to measure.
public struct LatencyChoices: Hashable, Sendable {
    /// A condition of the network that can be chosen.
    public struct Condition: Hashable, Sendable {
        /// What the network does.
        public var impairment: Impairment
        /// Whether it is measured under it.
        public var isChosen: Bool
        /// Whether the person typed it.
        public var isOwn: Bool
    }

    /// The links that are measured.
    public var links: Set<LaboratoryLink>
    /// What can be chosen of the network, in its order.
    public private(set) var conditions: [Condition]
    /// How long all links together are measured under each condition, seconds.
    public var seconds: Int = 20
    /// Setpoints a second.
    public var rateHertz: Double = 100
    /// Whether the vehicle is to move, which it does in flight only.
    public var measuresMotion = false

    /// The lengths and rates that the arrow keys go through.
    static let (lengths, rates) = ([3, 5, 10, 20, 30, 60, 120, 300], [10.0, 20, 50, 100, 200, 500])
    /// The lengths that can be typed, as on the command line.
    static let longest = 1...86_400
    /// The most conditions that one person reads.
    static let mostConditions = 40
    /// A good network, and four that get worse: a room away, a building away, and a mobile connection.
    static let usual: [Impairment] = [
        .none, Impairment(delay: .milliseconds(5)),
        Impairment(delay: .milliseconds(20), jitter: .milliseconds(5)),
        Impairment(delay: .milliseconds(20), jitter: .milliseconds(5), loss: 0.02),
        Impairment(
            delay: .milliseconds(40), jitter: .milliseconds(10), loss: 0.05, duplication: 0.01, reordering: 0.01,
            bitsPerSecond: 2e6),
    ]
    /// Warm-up, the last notes, and what is on its way: beside the length, for each condition.
    private static let overheadSeconds = 2.0
    /// The push, hover, and the way back, on the simulated vehicle.
    private static let motionSeconds = 5.0

    /// Every link that the vehicle may have, over a network that does no harm.
    public init(_ profile: VehicleProfile? = nil) {
        conditions = Self.usual.enumerated().map { index, impairment in
            Condition(impairment: impairment, isChosen: index == 0, isOwn: false)
        }
        links = profile?.isLocal == true ? [.tcp, .udp] : Set(LaboratoryLink.allCases)
    }

    /// Chooses a condition, or no more.
    mutating func toggle(condition index: Int) {
        guard conditions.indices.contains(index) else { return }
        conditions[index].isChosen.toggle()
    }

    /// Adds what a person typed, chosen; one that is there already is chosen.
    ///
    /// - Returns: where it stands; `nil` when there are too many.
    @discardableResult
    mutating func add(_ impairment: Impairment) -> Int? {
        if let known = conditions.firstIndex(where: { $0.impairment == impairment }) {
            conditions[known].isChosen = true
            return known
        }
        guard conditions.count < Self.mostConditions else { return nil }
        conditions.append(Condition(impairment: impairment, isChosen: true, isOwn: true))
        return conditions.count - 1
    }

    /// Takes a condition away that a person typed; the usual ones stay.
    mutating func remove(condition index: Int) {
        guard conditions.indices.contains(index), conditions[index].isOwn else { return }
        conditions.remove(at: index)
    }

    /// The next greater value of those that the arrow keys go through, or the next smaller one.
    static func next<Value: Comparable>(_ value: Value, _ step: Int, in values: [Value]) -> Value {
        (step > 0 ? values.first { $0 > value } : values.last { $0 < value }) ?? value
    }

    /// Those that are chosen and can be measured on a vehicle, in their order.
    func links(for profile: VehicleProfile?) -> [LaboratoryLink] {
        LaboratoryLink.allCases.filter { links.contains($0) && Self.obstacle(to: $0, profile) == nil }
    }

    /// Why it cannot be measured; `nil` when it can.
    func problem(for profile: VehicleProfile?) -> String? {
        if links(for: profile).isEmpty { return "choose a link: Enter on its line" }
        if !conditions.contains(where: \.isChosen) { return "choose a condition of the network: Enter on its line" }
        return nil
    }

    /// How long it takes about, seconds, without opening the links.
    func plannedSeconds(for profile: VehicleProfile?) -> Double {
        Double(conditions.count { $0.isChosen })
            * Self.seconds(of: Double(seconds), moving: measuresMotion ? links(for: profile).count : 0)
    }

    /// How long a condition takes that is measured for so long, with so many links that move the vehicle.
    static func seconds(of length: Double, moving links: Int) -> Double {
        length + overheadSeconds + Double(links) * motionSeconds
    }

    /// The plan for a vehicle.
    func plan(for profile: VehicleProfile) -> MeasuringPlan {
        var plan = MeasuringPlan(
            links: links(for: profile),
            conditions: conditions.filter(\.isChosen).map(\.impairment), duration: .seconds(seconds),
            rateHertz: rateHertz, measuresMotion: measuresMotion)
        plan.commandLine = LatencyCommandLine.text(plan, for: profile)
        return plan
    }

    /// Why a link cannot be measured on this vehicle; `nil` when it may work.
    static func obstacle(to link: LaboratoryLink, _ profile: VehicleProfile?) -> String? {
        guard profile?.isLocal == true, [.ssh, .sshShell, .sshTunnel].contains(link) else { return nil }
        return "not without a host to log in to"
    }
}
