internal import Foundation
public import ROS1
public import Simulation
internal import Synchronization
internal import UAVCore
internal import UAVLink

/// The simulated hexacopter as a ROS node with the interface of the real flight stack: its services, its topics at their
/// rates, its refusals. An untouched ROS installation can call, echo and record it.
public final class SimulatedVehicleNode: Sendable {
    /// How it runs.
    public struct Settings: Sendable {
        /// Simulated seconds in a second of the clock; other than 1, time is told on `/clock`.
        public var speed = 1.0
        /// Where it says what it does, one line at a time.
        public var log: @Sendable (String) -> Void = { _ in }

        /// Real time, saying nothing.
        public init() {}
    }

    private let node: ROSNode
    private let simulator: SharedSimulator
    private let vehicle: String
    private let settings: Settings
    private let services: VehicleServices
    private let subscriptions: [ROSSubscription]
    private let isStopping = Atomic(false)

    /// Makes the node and offers everything; time stands still before ``run()``.
    ///
    /// - Throws: ``ROS1/ROSError`` when the node cannot be made.
    public init(
        _ simulator: HexacopterSimulator, configuration: ROSConfiguration, settings: Settings = Settings()
    ) throws(ROSError) {
        node = try ROSNode(configuration: configuration)
        self.simulator = SharedSimulator(simulator)
        self.settings = settings
        vehicle = simulator.configuration.vehicle
        services = try VehicleServices(
            node: node, vehicle: vehicle, simulator: self.simulator, log: settings.log)
        subscriptions = try Self.listen(node, vehicle, self.simulator)
    }

    /// The references that the stack also takes as topics: no reply, least delay.
    private static func listen(
        _ node: ROSNode, _ vehicle: String, _ simulator: SharedSimulator
    ) throws(ROSError) -> [ROSSubscription] {
        let prefix = "/\(vehicle)/control_manager/"
        return [
            try node.subscribe(prefix + "velocity_reference", type: MRSMsgs.VelocityReferenceStamped.self) {
                simulator.steer(VelocityReference($0))
            },
            try node.subscribe(prefix + "reference", type: MRSMsgs.ReferenceStamped.self) {
                _ = simulator.call(.reference(PlaceReference($0.reference, frame: $0.header.frameID)))
            },
            try node.subscribe(prefix + "trajectory_reference", type: MRSMsgs.TrajectoryReference.self) {
                _ = simulator.call(.trajectoryReference(TrajectoryReference($0)))
            },
        ]
    }

    /// Flies until the task is cancelled or ROS tells the node to end; then everything is unregistered.
    ///
    /// - Throws: ``ROS1/ROSError``. A master that is not there (yet) is no error: the node registers when it comes.
    public func run() async throws(ROSError) {
        let publishesClock = settings.speed != 1
        let topics = try VehicleTopics(
            node: node, vehicle: vehicle, simulator: simulator, publishesClock: publishesClock)
        let loop = Loop(topics: topics, simulator: simulator, speed: settings.speed, isStopping: { [self] in mustEnd })
        async let announced: Void = announce(publishesClock)
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            isStopping.store(true, ordering: .relaxed)
        }
        _ = await announced
        await node.shutdown()
        withExtendedLifetime((services.servers, subscriptions)) {}
        settings.log("ended")
    }

    private var mustEnd: Bool { isStopping.load(ordering: .relaxed) || node.isShutDown }

    /// How long one try to reach the master may take.
    private static let registrationTry: Duration = .seconds(2)

    private func announce(_ publishesClock: Bool) async {
        var isWaitingTold = false
        while !mustEnd {
            do {
                try await node.waitForRegistration(within: Self.registrationTry)
                if publishesClock { try await node.parameters.set("/use_sim_time", to: .bool(true)) }
                settings.log("\(vehicle) is ready at \(node.master.uri)")
                return
            } catch {
                if !isWaitingTold, !mustEnd { settings.log("waiting for the master: \(error)") }
                isWaitingTold = true
            }
        }
    }

    /// Lets time pass and publishes, on a thread of its own.
    private final class Loop: Sendable {
        /// Twice as often as the fastest topic, so that none of its messages is late by more than its own period.
        private static let periodNanoseconds: Int64 = 1_000_000

        private let topics: Mutex<VehicleTopics>
        private let simulator: SharedSimulator
        private let speed: Double
        private let isStopping: @Sendable () -> Bool

        init(
            topics: consuming sending VehicleTopics, simulator: SharedSimulator, speed: Double,
            isStopping: @escaping @Sendable () -> Bool
        ) {
            self.topics = Mutex(topics)
            self.simulator = simulator
            self.speed = speed
            self.isStopping = isStopping
        }

        func run() async {
            await withCheckedContinuation { continuation in
                let thread = Thread { [self] in
                    work()
                    continuation.resume()
                }
                thread.name = "vehicle"
                thread.start()
            }
        }

        private func work() {
            let clock = SystemMonotonicClock()
            let start = clock.now
            var leftOutSeconds = 0.0
            var due = start
            while !isStopping() {
                due = due + .nanoseconds(Self.periodNanoseconds)
                let wait = (due - clock.now).nanoseconds
                if wait > 0 {
                    var pause = timespec(tv_sec: Int(wait / 1_000_000_000), tv_nsec: Int(wait % 1_000_000_000))
                    nanosleep(&pause, nil)
                } else {
                    due = clock.now
                }
                let seconds = (clock.now - start).inSeconds * speed - leftOutSeconds
                leftOutSeconds += simulator.advance(to: seconds)
                topics.withLock { $0.publish(at: seconds - leftOutSeconds) }
            }
        }
    }
}
