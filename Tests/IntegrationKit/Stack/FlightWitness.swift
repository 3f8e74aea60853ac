internal import Foundation
internal import Synchronization

/// A rospy node that watches the vehicle's topics, so that what our own telemetry says is confirmed by another observer.
public final class FlightWitness: Sendable {
    /// What it has seen so far.
    public struct Account: Decodable, Sendable {
        /// Odometry messages.
        public var odometry: Int
        /// Where the vehicle is, metres; `nil` before the first odometry.
        public var position: [Double]?
        /// How fast it is, metres per second.
        public var speed: Double
        /// The active tracker.
        public var tracker: String?
        /// The active controller.
        public var controller: String?
        /// Whether the control output is on.
        public var output: Bool?
        /// Whether the control manager says that it flies normally.
        public var flying: Bool?
        /// Whether the emergency or the failsafe controller has flown it at any time; its flight stack then refuses to switch the output on
        /// until it is started anew.
        public var hadEmergency: Bool
        /// Whether the motors run.
        public var armed: Bool?
        /// Whether the autopilot is in offboard mode.
        public var offboard: Bool?
        /// Velocity references, neutral ones too.
        public var setpoints: Int
        /// When it reported this, seconds since 1970.
        public var toldAt: Double
        /// When the newest of them came that asked for motion, seconds since 1970.
        public var setpointAt: Double
        /// When the first neutral one after it came, seconds since 1970; before ``setpointAt`` when none has come.
        public var brakedAt: Double
        /// When the vehicle came to rest the last time, seconds since 1970.
        public var restedAt: Double

        /// How long after the newest setpoint for motion a neutral one came, milliseconds; `nil` when none has come.
        public var brakeMilliseconds: Int? {
            brakedAt > setpointAt ? Int((brakedAt - setpointAt) * 1000) : nil
        }

        /// Whether the vehicle stands with its motors off and no tracker.
        public var isLanded: Bool { armed == false && tracker == "NullTracker" }

        /// The same, where it stands on the ground too: a real flight stack that was starved switches the motors off in the air, and
        /// then knows no more where it is.
        public var standsOnGround: Bool { isLanded && position.map { abs($0[2]) < 0.8 } ?? false }
    }

    /// The vehicle at an instant of its odometry.
    public struct TrackPoint: Decodable, Sendable {
        /// When the message came, seconds since 1970.
        public var at: Double
        /// Metres, in the odometry's frame: x, y, z.
        public var position: [Double]
        /// Metres per second.
        public var speed: Double
    }

    private let child: ChildProcess
    private let questions = Atomic<Int>(0)
    private let longestGap = Mutex(0.0)

    init(environment: [String: String]) throws {
        child = try ChildProcess(["/usr/bin/python3", "-c", Self.program], environment: environment)
    }

    /// Its process.
    public var process: Int32? { child.pid }

    /// What it has seen so far.
    public func account() async throws -> Account { try await ask("account") }

    /// Where the vehicle has been since the track was last asked for, 20 points a second; at most the last ten minutes.
    public func track() async throws -> [TrackPoint] {
        let points: [TrackPoint] = try await ask("track")
        let gap = zip(points, points.dropFirst()).map { $1.at - $0.at }.max() ?? 0
        longestGap.withLock { $0 = max($0, gap) }
        return points
    }

    /// The longest time without odometry in the tracks that were taken since ``beginFlight()``, seconds.
    public var longestGapSeconds: Double { longestGap.withLock(\.self) }

    /// Forgets the track so far, and its gaps.
    public func beginFlight() async throws {
        _ = try await track()
        longestGap.withLock { $0 = 0 }
    }

    private func ask<Answer: Decodable>(_ what: String) async throws -> Answer {
        let number = questions.add(1, ordering: .relaxed).newValue
        child.send(line: "\(number) \(what)")
        let answer = try await child.line(containing: "@\(number) ", within: .seconds(30))
        let json = answer.drop { $0 != " " }
        return try JSONDecoder().decode(Answer.self, from: Data(json.utf8))
    }

    /// Waits until what it saw is as wanted, and returns it.
    @discardableResult
    public func sees(
        _ what: String, within timeout: Duration = .seconds(30), _ condition: (Account) -> Bool
    ) async throws -> Account {
        var patience = Patience(timeout)
        while true {
            let account = try await account()
            if condition(account) { return account }
            guard !patience.isOver() else {
                throw ProcessFailure("the witness did not see within \(patience.whole): \(what); it saw \(account)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func ready() async throws { try await child.line(containing: "ready", within: .seconds(60)) }

    func stop() async { await child.stop() }

    private static let program = #"""
        import collections, json, sys, threading, time, rospy
        from nav_msgs.msg import Odometry
        from mrs_msgs.msg import ControlManagerDiagnostics, HwApiStatus, VelocityReferenceStamped
        lock = threading.Lock()
        seen = dict(odometry=0, position=None, speed=0.0, tracker=None, controller=None, output=None, flying=None,
                    hadEmergency=False, armed=None, offboard=None, setpoints=0, setpointAt=0.0, brakedAt=0.0, restedAt=0.0)
        moving = False
        track = collections.deque(maxlen=12000)
        def odometry(m):
            global moving
            now = time.time()
            p, v = m.pose.pose.position, m.twist.twist.linear
            speed = (v.x ** 2 + v.y ** 2 + v.z ** 2) ** 0.5
            with lock:
                seen.update(odometry=seen['odometry'] + 1, position=[p.x, p.y, p.z], speed=speed)
                if not track or now - track[-1]['at'] >= 0.049:
                    track.append(dict(at=now, position=[p.x, p.y, p.z], speed=speed))
                if speed > 0.3:
                    moving = True
                elif moving:
                    moving = False
                    seen['restedAt'] = time.time()
        def diagnostics(m):
            with lock:
                seen.update(tracker=m.active_tracker, controller=m.active_controller, output=m.output_enabled,
                            flying=m.flying_normally)
                # Without a tracker, on the ground, it is the one that stands by.
                if m.active_tracker != 'NullTracker' and m.active_controller in ('EmergencyController', 'FailsafeController'):
                    seen['hadEmergency'] = True
        def hardware(m):
            with lock: seen.update(armed=m.armed, offboard=m.offboard)
        def setpoint(m):
            v, rate = m.reference.velocity, m.reference.heading_rate
            with lock:
                seen['setpoints'] += 1
                # Neutral ones end motion: what is reported is when the last came that asked for any.
                if v.x or v.y or v.z or rate: seen['setpointAt'] = time.time()
                elif seen['brakedAt'] <= seen['setpointAt']: seen['brakedAt'] = time.time()
        rospy.init_node('witness', anonymous=True, disable_signals=True)
        rospy.Subscriber('/uav1/estimation_manager/odom_main', Odometry, odometry, tcp_nodelay=True)
        rospy.Subscriber('/uav1/control_manager/diagnostics', ControlManagerDiagnostics, diagnostics)
        rospy.Subscriber('/uav1/hw_api/status', HwApiStatus, hardware)
        rospy.Subscriber('/uav1/control_manager/velocity_reference', VelocityReferenceStamped, setpoint, tcp_nodelay=True)
        print('ready', flush=True)
        while True:
            line = sys.stdin.readline()
            if not line: break
            number, what = line.split()
            with lock:
                answer = json.dumps(list(track) if what == 'track' else dict(seen, toldAt=time.time()))
                if what == 'track': track.clear()
            print('@%s %s' % (number, answer), flush=True)
        """#
}
