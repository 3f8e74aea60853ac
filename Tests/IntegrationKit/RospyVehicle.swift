internal import Foundation

/// A vehicle made of rospy, ROS's own Python client, on a real master: it offers every service that commands need,
/// prints what it is asked, and tells of itself.
package final class RospyVehicle: Sendable {
    /// The master that it runs on.
    package let master: ROSMasterProcess
    private let types: TemporaryFolder

    /// Whether rospy and what it needs are installed.
    package static var isPossible: Bool {
        ["rospy", "genpy", "rosservice", "rostopic", "geometry_msgs"].allSatisfy {
            FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/\($0)")
        }
    }

    /// Makes the types that it speaks; ``start(_:)`` starts it.
    package init(master: ROSMasterProcess) async throws {
        self.master = master
        types = try TemporaryFolder()
        let python = try ChildProcess([BuiltPrograms.repository + "/scripts/generate-python-messages", types.path])
        guard try await python.exit() == 0 else { throw ProcessFailure(python.errors) }
    }

    /// What any ROS program needs in its environment to know this master and the types.
    package var environment: [String: String] {
        master.environment.merging(["PYTHONPATH": types.path]) { _, new in new }
    }

    /// Starts it and returns when all its services stand.
    package func start(_ options: String...) async throws -> ChildProcess {
        let process = try ChildProcess(["/usr/bin/python3", "-c", Self.program] + options, environment: environment)
        try await process.line(containing: "ready")
        return process
    }

    private static let program = #"""
        import sys, threading, rospy, yaml
        from std_srvs.srv import *
        from mrs_msgs.srv import *
        from mrs_msgs.msg import *
        from nav_msgs.msg import Odometry
        from sensor_msgs.msg import BatteryState, NavSatFix
        from std_msgs.msg import String as Text
        rospy.init_node('vehicle', disable_signals=True)
        forever = threading.Event()

        def say(line):
            sys.stdout.write(line + '\n')
            sys.stdout.flush()

        def offer(name, type_, answer):
            def handle(request):
                say('%s %s' % (name, yaml.safe_load(str(request)) or {}))
                if 'silent' in sys.argv and name == 'control_manager/hover': forever.wait(60)
                return answer
            return rospy.Service('/uav1/' + name, type_, handle)

        offer('hw_api/arming', SetBool, (True, 'armed'))
        offer('hw_api/offboard', Trigger, (False, 'Cannot switch to offboard, not armed.'))
        offer('control_manager/toggle_output', SetBool, None)
        offer('uav_manager/takeoff', Trigger, (False, 'can not takeoff, UAV not armed!\n\x1b[31m"quoted" \u00fc'))
        offer('uav_manager/land', Trigger, (False, ''))
        offer('uav_manager/land_home', Trigger, (True, 'flying home for landing'))
        offer('camera/snapshot', Trigger, (True, 'snapshot taken'))
        for name in 'goto_altitude', 'set_heading', 'set_heading_relative':
            offer('control_manager/' + name, Vec1, (True, 'reference set'))
        for name in 'goto', 'goto_relative', 'goto_fcu':
            offer('control_manager/' + name, Vec4, (True, 'reference set'))
        offer('control_manager/velocity_reference', VelocityReferenceStampedSrv, (True, 'reference set'))
        offer('control_manager/reference', ReferenceStampedSrv, (True, 'reference set'))
        offer('control_manager/trajectory_reference', TrajectoryReferenceSrv,
              (True, 'trajectory loaded', True, ['a', 'b'], [True, False], ['', 'no']))
        for name in ('hover', 'ehover', 'eland', 'goto_trajectory_start', 'start_trajectory_tracking',
                     'stop_trajectory_tracking', 'resume_trajectory_tracking'):
            offer('control_manager/' + name, Trigger, (True, name))

        rospy.Subscriber('/uav1/control_manager/velocity_reference', VelocityReferenceStamped,
                         lambda m: say('velocity %s' % yaml.safe_load(str(m))))
        def topic(name, type_): return rospy.Publisher('/uav1/' + name, type_, queue_size=1)
        odom, state = topic('estimation_manager/odom_main', Odometry), topic('estimation_manager/uav_state', UavState)
        height = topic('estimation_manager/height_agl', Float64Stamped)
        estimation = topic('estimation_manager/diagnostics', EstimationDiagnostics)
        control = topic('control_manager/diagnostics', Text if 'mismatch' in sys.argv else ControlManagerDiagnostics)
        hardware, battery = topic('hw_api/status', HwApiStatus), topic('hw_api/battery_state', BatteryState)
        gnss, status = topic('hw_api/gnss', NavSatFix), topic('mrs_uav_status/uav_status', UavStatus)
        constraints = topic('constraint_manager/diagnostics', ConstraintManagerDiagnostics)
        gains = topic('gain_manager/diagnostics', GainManagerDiagnostics)
        say('ready')

        def pose(message):
            message.position.x, message.position.y, message.position.z = 1.5, -2.5, 3.5
            message.orientation.z = message.orientation.w = 0.5 ** 0.5
        while not rospy.is_shutdown():
            if 'mismatch' in sys.argv:
                control.publish(Text('hm'))
                rospy.sleep(0.02)
                continue
            m = Odometry(); m.header.frame_id = 'uav1/gps_garmin_origin'; pose(m.pose.pose)
            m.twist.twist.linear.x = 2; odom.publish(m)
            m = UavState(); m.header.frame_id = 'uav1/gps_garmin_origin'; pose(m.pose)
            m.velocity.linear.y = 2; state.publish(m)
            height.publish(Float64Stamped(value=3.25))
            m = EstimationDiagnostics(); m.header.frame_id = 'uav1/gps_garmin_origin'; pose(m.pose)
            m.velocity.linear.y = 2; m.agl_height = 3.5; m.max_flight_z = 10
            m.current_state_estimator = 'gps_garmin'; estimation.publish(m)
            m = ControlManagerDiagnostics(); m.uav_name = 'uav1'; m.output_enabled = m.flying_normally = True
            m.active_tracker, m.active_controller = 'MpcTracker', 'Se3Controller'
            m.tracker_status.callbacks_enabled = m.tracker_status.have_goal = True
            m.tracker_status.trajectory_length, m.tracker_status.trajectory_idx = 7, 3
            m.human_switchable_trackers = [True, False]; control.publish(m)
            hardware.publish(HwApiStatus(armed=True, offboard=True))
            battery.publish(BatteryState(voltage=15.5, current=10, percentage=float('nan')))
            m = NavSatFix(latitude=47.5, longitude=8.5, altitude=400, position_covariance_type=2)
            m.position_covariance[0], m.position_covariance[4] = 3, 5; gnss.publish(m)
            status.publish(UavStatus(uav_mass='\0', hw_api_armed=True, hw_api_state_hz=50, uav_name='uav1 "x"\n---\ny'))
            constraints.publish(ConstraintManagerDiagnostics()); gains.publish(GainManagerDiagnostics())
            rospy.sleep(0.02)
        """#
}

/// Runs `body` with a master and what a rospy vehicle needs on it.
package func withRospyVehicle(_ body: (RospyVehicle) async throws -> Void) async throws {
    try await withROSMaster { master in try await body(try await RospyVehicle(master: master)) }
}
