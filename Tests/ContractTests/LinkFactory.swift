import Foundation
import IntegrationKit
import Testing
import UAVLink

/// One way to make a link to a vehicle that stands on the ground, and what may be asked of it.
///
/// A new link joins the contract by one value of this type in ``all`` (a file of its own beside this one).
struct LinkFactory: Sendable, CustomTestStringConvertible {
    /// How the link is called in test reports.
    var name: String
    /// Why it cannot be tested on this machine; `nil` when it can.
    var missing: String?
    /// What its vehicle can do; the link must report the same.
    var vehicle = VehicleCapabilities.mrs
    /// Whether the world file that the vehicle names is read; else its border is the one that it shows.
    var readsWorldFile = true
    /// What the vehicle refuses on the ground, and its words.
    var refusals: [Refusal] = Refusal.mrs
    /// How much time its operations may take.
    var limits: Limits = Limits()
    /// Sets everything up that the link needs, the vehicle too, and makes the link, not yet connected.
    var open: @Sendable () async throws -> LinkRig

    var testDescription: String { name }

    /// Generous: they tell a hanging link from a working one on a busy machine, not a slow one from a fast one.
    struct Limits: Sendable {
        /// To connect.
        var connect: Duration = .patient(seconds: 20)
        /// To have a command answered.
        var command: Duration = .patient(seconds: 10)
        /// From the take-off command until the vehicle flies.
        var takeoff: Duration = .seconds(40)
        /// To a place 3 m away, and to come to rest.
        var goal: Duration = .seconds(40)
        /// From the landing command until the vehicle is disarmed.
        var landing: Duration = .seconds(60)
        /// How far beyond its deadline, or after a cancellation, a call may return.
        var grace: Duration = .seconds(2) * MachinePace.factor
        /// How long closing it may wait for a stop command that is under way.
        var farewell: Duration = .zero
        /// From one setpoint to the next while steering; must stay below the lease of 200 ms unless the link is slower.
        var steeringInterval: Duration = .milliseconds(50)
        /// When none was applied for so long, steering has been stopped by the lease and begins anew.
        var steeringRestart: Duration = .seconds(1)
        /// How far the vehicle may still drift along after it was commanded to stop, or setpoints have stopped, in metres.
        var stoppingMetres = 2.5
        /// How far away a place is that the vehicle does not reach before a hover has got through, metres; the standard
        /// world ends at 100 m.
        var farMetres = min(60, 8 * MachinePace.factor)
        /// How far the altitude that the vehicle reports for its world's origin may be from the configured one, metres.
        var originAltitudeMetres = 0.01
        /// The samples of the trajectory that is uploaded; 100 000 are the most that one may have.
        var samples = 100_000
        /// To have them taken.
        var upload: Duration = .patient(seconds: 60)

        /// For a vehicle that lives four times as fast: it would cover the usual distance within a second or two.
        static var fourTimesAsFast: Self {
            var limits = Self()
            limits.farMetres = 60
            return limits
        }
    }

    /// A command and the words with which a vehicle on the ground refuses it.
    struct Refusal: Sendable {
        var command: Command
        var words: String

        /// Those of the flight stack of the MRS group.
        static let mrs: [Self] = [
            .init(command: .takeoff, words: "can not takeoff, UAV not armed!"),
            .init(
                command: .goTo(.init(.frame(.current), position: Vector3(x: 1, y: 0, z: 2), headingRadians: 0)),
                words: "the tracker 'NullTracker' does not implement the 'setReference()' function!"),
            .init(command: .land, words: "can not land, 'NullTracker' is active!"),
        ]
    }

    private static let others: [LinkFactory] = [
        .fake, .simulated, .ssh, .sshShell, .tcp, .udp, .ros, .toyOverUDP, .toyOverTCP, .tello13, .tello20,
        .tello30, .bluno, .blunoOverBluetooth, .arDrone, .arDroneOverUDP, .telloOverUDP, .ros2,
    ]
    /// Those that `scripts/test` has in the lane of ROS 2.
    private static let elsewhere: [LinkFactory] = [
        .ros2OverUDP, .ros2OverTCP, .ros2FromGround, .ros2OverSSH, .ros2OverSSHShell,
    ]

    /// Every link that the contract is held against. With `UAVLINK_TEST_CONTRACT=real` only the real flight stack, with
    /// `others` those of the first lane of `scripts/test`: without that one, since two of them at once are too much for a small
    /// machine, and without ``elsewhere``. With the names of links, separated by commas, only these.
    static let all: [LinkFactory] = {
        switch ProcessInfo.processInfo.environment["UAVLINK_TEST_CONTRACT"] {
        case "real": return [.real]
        case "others": return others
        case nil, "all", "": return others + elsewhere + [.real]
        case let other?:
            let names = other.split(separator: ",").map(String.init)
            let every = others + elsewhere + [.real]
            let named = every.filter { names.contains($0.name) }
            if named.count == names.count { return named }
            print("UAVLINK_TEST_CONTRACT is '\(other)', not 'real', 'others', 'all' or names of links: taken for 'all'")
            return every
        }
    }()
}

/// A link and what belongs to it.
struct LinkRig: Sendable {
    /// The link, not yet connected.
    var link: any UAVLink
    /// Makes the vehicle's end take commands and never answer; `nil` when the link's peer cannot be made to.
    var silenceVehicle: (@Sendable () async throws -> Void)?
    /// How many commands have reached the vehicle's end; `nil` when it does not count.
    var commandsReceived: (@Sendable () async -> Int)?
    /// Whether another observer than the link sees the vehicle at a position, metres; `nil` without one.
    var confirmsPlace: (@Sendable (Vector3) async throws -> Void)?
    /// The fingerprint of the trajectory that the vehicle's end has loaded, as the vehicle's end tells it.
    var loadedTrajectory: (@Sendable () async throws -> UInt64?)?
    /// Whether the vehicle has a camera that answers at the usual service.
    var hasCamera = true
    /// Whether another observer than the link sees the vehicle landed; `nil` without one.
    var confirmsLanding: (@Sendable () async throws -> Void)?
    /// What vehicle and companion have said themselves, printed when a test fails.
    var logs: (@Sendable () async -> String)?
    /// Ends everything that was set up; the link has been closed before.
    var tearDown: @Sendable () async -> Void = {}
}
