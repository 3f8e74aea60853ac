internal import Foundation
internal import Synchronization

/// The safety pilot of the real flight stack, with a radio: takes the vehicle out of offboard mode, hovers, and lands it.
///
/// The stack's simulator has no radio. So the status of its hardware interface passes through here, and says while the pilot flies what
/// that of an autopilot does: armed, and not in offboard mode. All the rest is the stack's own doing. Where the pilot flies, a position
/// hold commands the simulated vehicle itself, past the stack, as an autopilot does.
public final class SafetyPilot: Sendable {
    /// In the stack's folder: where its hardware interface is started.
    static let launchFile = "/src/mrs_multirotor_simulator/launch/hw_api.launch"

    private let child: ChildProcess
    private let requests = Atomic<Int>(0)

    /// - Parameter environment: of programs under the master, with the stack's types.
    init(environment: [String: String]) throws {
        child = try ChildProcess(["/usr/bin/python3", "-c", Self.program], environment: environment)
    }

    /// The text of the launch file with which the status comes here first.
    static func passingStatus(_ launch: String) throws -> String {
        let mark = "<!-- custom remaps -->"
        guard launch.contains(mark) else { throw ProcessFailure("no '\(mark)' in the stack's \(launchFile)") }
        return launch.replacingOccurrences(
            of: mark, with: mark + "\n      <remap from=\"~status\" to=\"~status_of_autopilot\" />")
    }

    /// Its process.
    public var process: Int32? { child.pid }

    /// Takes the vehicle out of offboard mode, and holds it where it is.
    public func take() async throws { try await ask("take") }

    /// Requests offboard mode again; gives the hardware interface's answer.
    @discardableResult
    public func requestOffboard() async throws -> String { try await ask("offboard") }

    /// Lands the vehicle, and disarms it.
    public func land() async throws { try await ask("land") }

    @discardableResult
    private func ask(_ what: String) async throws -> String {
        let number = requests.add(1, ordering: .relaxed).newValue
        child.send(line: "\(number) \(what)")
        let answer = try await child.line(containing: "@\(number) ", within: .seconds(60))
        return String(answer.drop { $0 != " " }.dropFirst())
    }

    func ready() async throws { try await child.line(containing: "ready", within: .seconds(60)) }

    func stop() async { await child.stop() }

    private static let program = #"""
        import sys, threading, time, rospy
        from mrs_msgs.msg import HwApiStatus, HwApiVelocityHdgRateCmd, UavState
        from std_srvs.srv import SetBool, Trigger
        rospy.init_node('safety_pilot', disable_signals=True)
        lock = threading.Lock()
        seen = None
        place = None
        said = rospy.Publisher('/uav1/hw_api/status', HwApiStatus, queue_size=10, tcp_nodelay=True)
        flown = rospy.Publisher('/multirotor_simulator/uav1/velocity_hdg_rate_cmd', HwApiVelocityHdgRateCmd,
                                queue_size=1, tcp_nodelay=True)
        def status(m):
            with lock: flies = place is not None
            if flies: m.offboard, m.mode = False, 'POSCTL'
            said.publish(m)
        def state(m):
            global seen
            seen = m
        def within(value): return max(-1.0, min(1.0, value))
        def hold():
            # The simulator's own speed control sinks a little: a sum of the error makes up for it.
            lift = 0.0
            while True:
                with lock: here = list(place) if place is not None else None
                if here is None:
                    lift = 0.0
                else:
                    error = [here[0] - seen.pose.position.x, here[1] - seen.pose.position.y, here[2] - seen.pose.position.z]
                    lift = within(lift + 0.005 * error[2])
                    m = HwApiVelocityHdgRateCmd()
                    m.header.stamp = rospy.Time.now()
                    m.velocity.x, m.velocity.y, m.velocity.z = within(error[0]), within(error[1]), within(error[2] + lift)
                    flown.publish(m)
                time.sleep(0.01)
        def offboard():
            answer = rospy.ServiceProxy('/uav1/hw_api/offboard', Trigger)()
            return '%s %s' % (answer.success, answer.message)
        def land():
            stood = 0
            while stood < 20:
                with lock: place[2] = max(place[2] - 0.035, seen.pose.position.z - 1.5)
                time.sleep(0.05)
                # What stands although it is to sink is on the ground.
                stood = stood + 1 if place[2] < seen.pose.position.z - 0.5 and abs(seen.velocity.linear.z) < 0.05 else 0
            answer = rospy.ServiceProxy('/uav1/hw_api/arming', SetBool)(False)
            return '%s %s' % (answer.success, answer.message)
        rospy.Subscriber('/uav1/estimation_manager/uav_state', UavState, state, tcp_nodelay=True)
        rospy.Subscriber('/uav1/hw_api/status_of_autopilot', HwApiStatus, status, queue_size=10, tcp_nodelay=True)
        threading.Thread(target=hold, daemon=True).start()
        print('ready', flush=True)
        while True:
            line = sys.stdin.readline()
            if not line: break
            number, what = line.split()
            answer = 'done'
            if what == 'take':
                p = seen.pose.position
                with lock: place = [p.x, p.y, p.z]
            else:
                answer = offboard() if what == 'offboard' else land()
                if answer.startswith('True'):
                    with lock: place = None
            print('@%s %s' % (number, answer), flush=True)
        """#
}
