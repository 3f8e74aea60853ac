import FlightTestKit
import MRSMessages
import ROSMessages
import FlightRecorder
import Foundation
import IntegrationKit
import Testing
import UAVLink

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a recording keeps when a program is killed.
extension FlightRecordingTests {
    @Test func `a companion that is killed: the recording goes on with the times of the next one`() async throws {
        let stack = try await sharedStack()
        let path = stack.folder.path + "/renewed.bag"
        let recordings = Recordings(path: path)
        try await stack.withLink(.udp) { plain in
            let link = try recordings.around(plain, vehicle: "uav1")
            func steer() async throws {
                await takeCommand(of: link)
                for _ in 0..<20 {
                    try link.steer(
                        VelocitySetpoint(velocityMetresPerSecond: .zero, intendedAt: SystemMonotonicClock().now))
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            /// How many setpoints the recording has with the times of the companion.
            func known() async -> Int {
                (try? await FlightLogFile.read(path).setpoints.count { $0.received.seconds > 0 }) ?? 0
            }
            try await steer()
            // What the first has noted comes within a moment.
            #expect(await eventually { await known() == 20 })
            let companion = try #require(stack.companionProcess())
            let killed = SystemMonotonicClock().now
            kill(companion, SIGKILL)
            // By the next companion and what it tells: that the link was lost between is soon over.
            #expect(
                await eventually(within: .seconds(60)) {
                    guard let next = stack.companionProcess(), next != companion else { return false }
                    return link.quality.isConnected && (link.latestTelemetry?.newest ?? killed) > killed
                })
            try await steer()
            #expect(await eventually { await known() == 40 })
            await link.close()
        }
        let outcomes = await recordings.finish()
        #expect(outcomes.map(\.failure) == [nil])
        let log = try await FlightLogFile.read(path)
        #expect(log.setpoints.count == 40)
        let known = log.setpoints.filter { $0.received.seconds > 0 }
        #expect(known.count == 40, "\(known.map(\.number))")
        let account = try await BagReaders.account(of: path, BagReaders.rosbag)
        #expect(account.disordered == 0, "\(account)")
    }

    @Test func `a program that is killed loses a second at most`() async throws {
        let stack = try await sharedStack()
        let path = stack.folder.path + "/killed.bag"
        let watch = SchedulingWatch()
        var killed = 0.0
        try await unlessLapsed {
            try? FileManager.default.removeItem(atPath: path)
            let child = try stack.launch(["steer", "--for", "60s", "--rate", "50", "--link", "udp", "--record", path])
            watch.add(try #require(child.pid))
            let isWriting = await eventually {
                let count = (try? await FlightLogFile.read(path).setpoints.count) ?? 0
                return count > 100 || child.exitStatus != nil
            }
            #expect(isWriting)
            // It is being written to for a while; then it is killed at any moment of its writing.
            try await Task.sleep(for: .seconds(2))
            child.signal(SIGKILL)
            killed = Date().timeIntervalSince1970
            watch.settle()
            let status = try await child.exit(within: .seconds(20))
            try expectNoLapse(of: child)
            #expect(status == 128 + SIGKILL, "\(child.errors)")
        }

        let log = try await FlightLogFile.read(path)
        #expect(!log.isWhole)
        let last = try #require(log.setpoints.last)
        let end = SchedulingWatch.instant(wallSeconds: killed)
        let lost = killed - Double(FlightLog.nanoseconds(last.sent)) / 1e9
        let waited = Double(watch.waited(from: end - 5_000_000_000, to: end)) / 1e9
        #expect(lost - waited < 1.5, "\(watch.account(from: end - 5_000_000_000, to: end))")
        let review = try await stack.uavlink("review", path)
        #expect(review.status == 0 && review.output.contains("rosbag reindex"), "\(review)")

        let repair = try ChildProcess(["/usr/bin/rosbag", "reindex", path], environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await repair.exit(within: .seconds(60)) == 0, "\(repair.errors)")
        let account = try await BagReaders.account(of: path, BagReaders.rosbag)
        #expect(account.counts["/uav1/uavlink/setpoint"] == log.setpoints.count)
        try await info(path)
    }
}
