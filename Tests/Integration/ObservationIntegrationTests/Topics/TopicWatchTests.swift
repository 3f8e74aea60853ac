import IntegrationKit
import MRS
import Testing
import UAVLink

/// Topics of types that this program does not know, from ROS's own publishers.
@Suite(
    .enabled(if: RospyVehicle.isPossible, "rospy is not installed: watching topics is not held against it"),
    .serialized, .timeLimit(.minutes(MachinePace.minutes(2))))
struct TopicWatchTests {
    /// Publishes a laser scan at 40 Hz, clouds of 2 MB at 30 Hz, and one message once; a line ends it in good order. It says
    /// once a second how many scans a second there really were: on a busy machine they are fewer.
    static let publisher = #"""
        import sys, threading, time, rospy
        from sensor_msgs.msg import LaserScan, PointCloud2, PointField
        from std_msgs.msg import Float32MultiArray
        rospy.init_node('lidar', disable_signals=True)
        scans = rospy.Publisher('/uav1/lidar/scan', LaserScan, queue_size=5)
        clouds = rospy.Publisher('/uav1/lidar/points', PointCloud2, queue_size=1)
        once = rospy.Publisher('/uav1/once', Float32MultiArray, queue_size=1, latch=True)
        scan = LaserScan(angle_min=-1.5, angle_max=1.5, ranges=[0.25 * i for i in range(720)])
        scan.header.frame_id = 'uav1/lidar \x1b[2J'
        cloud = PointCloud2(height=1, width=131072, point_step=16, data=bytes(2097152))
        cloud.fields = [PointField(name='x', datatype=7, count=1)]
        once.publish(Float32MultiArray(data=[0.1, float('nan')]))
        end = lambda: (sys.stdin.readline(), rospy.signal_shutdown('asked to'))
        threading.Thread(target=end, daemon=True).start()
        print('ready', flush=True)
        rate, number, printed, count = rospy.Rate(120), 0, time.monotonic(), 0
        while not rospy.is_shutdown():
            if number % 3 == 0:
                scans.publish(scan)
                count += 1
            if time.monotonic() - printed > 1:
                print('hertz %f' % (count / (time.monotonic() - printed)), flush=True)
                printed, count = time.monotonic(), 0
            if number % 4 == 0: clouds.publish(cloud)
            number += 1
            rate.sleep()
        """#

    private func withWatch(_ body: (ROSTopicWatch, ROSMasterProcess) async throws -> Void) async throws {
        try await withROSMaster { master in
            let watch = ROSTopicWatch(environment: master.environment)
            let result: Result<Void, any Error>
            do { result = .success(try await body(watch, master)) } catch { result = .failure(error) }
            await watch.close()
            try result.get()
        }
    }

    /// Reads until something is heard that `fits`.
    static func hears(
        _ watch: any TopicWatching, _ topic: String, within timeout: Duration = .seconds(30),
        _ fits: @escaping @Sendable (TopicUpdate) -> Bool
    ) async throws -> TopicUpdate {
        try await withThrowingTaskGroup(of: TopicUpdate?.self) { group in
            group.addTask {
                for await update in watch.updates(of: topic) where fits(update) { return update }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: MachinePace.patience(timeout))
                throw ProcessFailure("nothing fitting was received on \(topic)")
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            return try #require(first)
        }
    }

    @Test func `a type that is not ours is decoded, with its rate, and its arrays are shortened`() async throws {
        try await withWatch { watch, master in
            let lidar = try master.python(Self.publisher)
            try await lidar.line(containing: "ready")
            let update = try await Self.hears(watch, "/uav1/lidar/scan") {
                guard case .reading(let reading) = $0, let hertz = reading.hertz else { return false }
                let own = lidar.output.split(separator: "\n").last { $0.hasPrefix("hertz ") }?.dropFirst(6)
                guard let own = own.flatMap({ Double($0) }) else { return false }
                return (own / 2...own * 1.5).contains(hertz)
            }
            guard case .reading(let reading) = update else { return }
            #expect(reading.type == "sensor_msgs/LaserScan")
            let fields = Dictionary(uniqueKeysWithValues: reading.fields.map { ($0.path, $0.value) })
            #expect(fields["header.frame_id"] == "uav1/lidar \u{1B}[2J")
            #expect(fields["angle_min"] == "-1.5")
            #expect(fields["ranges"] == "720 elements")
            #expect(fields["ranges[3]"] == "0.75")
            #expect(fields["ranges[\(TopicLimits.elements)]"] == nil)
            #expect(fields["intensities"] == "0 elements")
            await lidar.stop()
        }
    }

    @Test func `a flood of clouds brings a few readings a second, and a latched message comes at all`() async throws {
        try await withWatch { watch, master in
            let lidar = try master.python(Self.publisher)
            try await lidar.line(containing: "ready")
            let once = try await Self.hears(watch, "/uav1/once") { if case .reading = $0 { true } else { false } }
            guard case .reading(let reading) = once else { return }
            #expect(reading.fields.suffix(2).map(\.value) == ["0.1", "nan"])
            var readings = 0
            let start = ContinuousClock.now
            for await update in watch.updates(of: "/uav1/lidar/points") {
                if case .reading(let cloud) = update {
                    readings += 1
                    #expect(cloud.fields.contains(TopicField(path: "data", value: "2097152 elements")))
                }
                if ContinuousClock.now - start > .seconds(4), readings >= 2 { break }
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            #expect(readings >= 2 && Double(readings) <= (seconds + 0.6) * TopicLimits.updatesPerSecond, "\(readings)")
            await lidar.stop()
        }
    }

    @Test func `it says that no node publishes a topic, what is published, and that there is no ROS`() async throws {
        try await withWatch { watch, master in
            _ = try await Self.hears(watch, "/uav1/nothing") {
                if case .silent(let why, _) = $0 { why.contains("no such topic is published") } else { false }
            }
            let lidar = try master.python(Self.publisher)
            try await lidar.line(containing: "ready")
            let published = try await watch.published(within: .patient(seconds: 10))
            #expect(published.contains(PublishedTopic(name: "/uav1/lidar/scan", type: "sensor_msgs/LaserScan")))
            // One that goes is said to be gone.
            _ = try await Self.hears(watch, "/uav1/lidar/scan", within: .seconds(40)) {
                switch $0 {
                case .reading: lidar.send(line: "end")
                case .silent(let why, _): return ["not published", "no such topic is published"].contains(why)
                default: break
                }
                return false
            }
            await lidar.stop()
        }
        let nowhere = ROSTopicWatch(environment: ["ROS_MASTER_URI": "http://127.0.0.1:1", "ROS_IP": "127.0.0.1"])
        let update = try await Self.hears(nowhere, "/x") { if case .failed = $0 { true } else { false } }
        guard case .failed(let error) = update else { return }
        #expect(error.code == .rosMasterUnreachable)
        await #expect(throws: LinkError.self) { try await nowhere.published(within: .seconds(8)) }
        await nowhere.close()
    }
}
