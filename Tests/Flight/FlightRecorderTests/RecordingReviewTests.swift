@testable import FlightRecorder
import ReportKit
import Statistics
import Testing
import UAVLink

@Suite("A recording in words and figures") struct RecordingReviewTests {
    @Test func `ages, gaps and fates of setpoints`() throws {
        let log = try BagOfNotes.log([
            BagOfNotes.setpoint(1, at: 0, fate: .applied), BagOfNotes.setpoint(2, at: 10, fate: .lost),
            BagOfNotes.setpoint(3, at: 50, fate: .applied), BagOfNotes.setpoint(4, at: 60),
            BagOfNotes.setpoint(5, at: 70, error: "not connected"),
        ])
        let review = FlightReview(log, path: "f.bag")
        #expect(review.setpoints.ages.map(\.place) == ["sent", "received", "applied"])
        #expect(review.setpoints.ages.map(\.samples.count) == [4, 2, 2])
        #expect(review.setpoints.ages.map(\.samples.maximum) == [1_000_000, 2_000_000, 3_000_000])
        #expect(review.setpoints.longestGapNanoseconds == 40_000_000)
        #expect(
            review.setpoints.fates.map(\.fate) == ["applied", "lost"] && review.setpoints.fates.map(\.count) == [2, 1])
        #expect(review.setpoints.worstClockBoundNanoseconds == 50_000)
        #expect(review.text.contains("setpoints: 5, 1 not sent, longest gap 40.0 ms"))
        #expect(review.text.contains("2 applied, 1 lost\ntimes of received and applied are accurate to 0.050 ms"))
    }

    /// Ages over a bad link and a good one said nothing together.
    @Test func `each link under each condition has its own figures`() throws {
        let log = try BagOfNotes.log([
            BagOfNotes.setpoint(1, at: 0, fate: .applied, over: "tcp", condition: "none"),
            BagOfNotes.setpoint(2, at: 10, over: "ssh", condition: "none"),
            BagOfNotes.setpoint(3, at: 20, fate: .applied, over: "tcp", condition: "none"),
            BagOfNotes.setpoint(4, at: 500, fate: .lost, over: "tcp", condition: "loss=50%"),
        ])
        let review = FlightReview(log, path: "f.bag")
        #expect(review.parts.map(\.link) == ["tcp", "ssh", "tcp"])
        #expect(review.parts.map(\.condition) == ["none", "none", "loss=50%"])
        #expect(review.parts.map { $0.review.ages[2].samples.count } == [2, 0, 0])
        #expect(review.parts[0].review.longestGapNanoseconds == 20_000_000)
        for title in ["\ntcp, none\n", "\nssh, none\n", "\ntcp, loss=50%\n"] { #expect(review.text.contains(title)) }
        let flight = FlightReview(try BagOfNotes.log([BagOfNotes.setpoint(1, at: 0)]), path: "f.bag")
        #expect(flight.parts.count == 1 && !flight.text.contains("\nudp\n"))
    }

    @Test func `the way is the vehicle's, not the estimator's noise`() throws {
        var notes = (0..<1000).map { BagOfNotes.pose(Vector3(x: $0 % 2 == 0 ? 0 : 0.005, y: 0, z: 0), at: Int64($0)) }
        notes += (0...30).map { BagOfNotes.pose(Vector3(x: Double($0) * 0.1, y: 0, z: 1), at: 1000 + Int64($0)) }
        let review = FlightReview(try BagOfNotes.log(notes), path: "f.bag")
        #expect(abs(review.flownMetres - 4) < 0.05)
    }

    /// A Tello knows neither its place nor its volts.
    @Test func `a machine without a position has heights, speeds, states and its charge`() throws {
        func note(_ state: FlightState, _ height: Double, _ speed: Double, at time: Int64) -> RecordingEntry {
            var telemetry = Telemetry(vehicle: "uav1")
            let at = BagOfNotes.at(time)
            telemetry.heightAboveGroundMetres = Sample(height, at: at)
            telemetry.velocityMetresPerSecond = Sample(Vector3(x: 0.6 * speed, y: -0.8 * speed, z: 0), at: at)
            telemetry.battery = Sample(
                Battery(voltageVolts: nil, currentAmperes: nil, remaining: 1 - Double(time) / 100_000), at: at)
            telemetry.flight = Sample(
                FlightStatus(
                    state: state, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
                at: at)
            return .telemetry(telemetry, at: at)
        }
        let log = try BagOfNotes.log([
            note(.disarmed, 0, 0, at: 0), note(.flying, 0.8, 0.5, at: 5000), note(.flying, 1.25, 1, at: 6000),
            note(.disarmed, 0, 0, at: 10_000),
        ])
        let review = FlightReview(log, path: "f.bag")
        let text = review.text
        #expect(
            text.contains("height above ground from 0.00 to 1.25 m, at most 1.00 m/s; no position was recorded"),
            "\(text)")
        #expect(text.contains("battery from 100 to 90 %") && !text.contains("flew"), "\(text)")
        #expect(text.contains("states: 0.00 s disarmed, 5.00 s flying, 10.00 s disarmed\n"), "\(text)")
        let json = review.json.text
        for part in [#""height_m": [0, 1.25]"#, #""fastest_mps": 1"#, #""state": "flying""#, #""battery": [1, 0.9"#] {
            #expect(json.contains(part), "\(part): \(json)")
        }
        // Where there is a position, odometry has the velocity.
        var placed = Telemetry(vehicle: "uav1")
        placed.pose = Sample(
            Pose(frame: FrameName("uav1/gps_origin"), positionMetres: .zero, headingRadians: 0), at: BagOfNotes.at(1))
        placed.velocityMetresPerSecond = Sample(Vector3(x: 3, y: 0, z: 0), at: BagOfNotes.at(1))
        let flight = try BagOfNotes.log([.telemetry(placed, at: BagOfNotes.at(1))])
        #expect(flight.counts["/uav1/uavlink/velocity"] == nil && flight.fastestWithoutPlace == nil)
        #expect(FlightReview(flight, path: "f.bag").text.contains("at most 3.00 m/s"))
    }

    /// The real flight stack reports a status without a mode.
    @Test func `a status without a mode is no state`() throws {
        var log = try BagOfNotes.log([BagOfNotes.pose(.zero, at: 0)])
        for time in 0..<3 { log.addMode("", Int64(time)) }
        #expect(log.states.isEmpty && !FlightReview(log, path: "f.bag").text.contains("states:"))
        for mode in ["OFFBOARD", "OFFBOARD", "", ""] { log.addMode(mode, 10) }
        #expect(log.states.map(\.state) == ["OFFBOARD", ""])
        let text = FlightReview(log, path: "f.bag").text
        #expect(text.contains("s OFFBOARD, ") && text.contains("s unknown\n"), "\(text)")
    }

    @Test func `a command's answer and its failure`() throws {
        let review = FlightReview(
            try BagOfNotes.log([
                BagOfNotes.command(.arm(true), at: 0),
                BagOfNotes.command(.takeoff, at: 10, .success(CommandReply(accepted: false, message: "not armed"))),
                BagOfNotes.command(.altitude(metres: 2.5), at: 20, .failure(LinkError(.timedOut, "no answer came"))),
            ]), path: "f.bag")
        let lines = review.text.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.contains("arm") && $0.contains("yes") })
        #expect(lines.contains { $0.contains("takeoff") && $0.contains("refused: not armed") })
        #expect(lines.contains { $0.contains("altitude 2.50") && $0.contains("failed: no answer came") })
    }

    @Test func `commands and events are listed by their times, not by when they were written`() throws {
        let log = try BagOfNotes.log([
            .event(RecordedEvent(.information, "link", "connected", at: BagOfNotes.at(0))),
            BagOfNotes.command(.hover, at: 23_990), BagOfNotes.command(.takeoff, at: 0, after: 24_100),
            .event(RecordedEvent(.information, "link", "closed", at: BagOfNotes.at(24_200))),
            .event(RecordedEvent(.warning, "vehicle", "low battery", at: BagOfNotes.at(7000))),
        ])
        let review = FlightReview(log, path: "f.bag")
        let words = review.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let commands = words.filter { $0.contains("takeoff") || $0.contains("hover") }.map { $0.prefix(2) }
        #expect(commands == [["0.00", "takeoff"], ["23.99", "hover"]])
        let events = words.filter { $0.dropFirst().first == "s" }.map(\.first)
        #expect(events == ["0.00", "7.00", "24.20"])
        let text = review.json.text
        let order = try [#""takeoff""#, #""hover""#, #""low battery""#, #""closed""#].map {
            try #require(text.firstRange(of: $0)).lowerBound
        }
        #expect(order == order.sorted())
    }

    @Test func `an event that is repeated at once stands there once, with its number`() throws {
        func warning(_ text: String, at milliseconds: Int64) -> RecordingEntry {
            .event(RecordedEvent(.warning, "vehicle", text, at: BagOfNotes.at(milliseconds)))
        }
        let log = try BagOfNotes.log([
            warning("no odometry", at: 0), warning("no odometry", at: 1000), warning("no odometry", at: 2000),
            warning("odometry is back", at: 2500), warning("no odometry", at: 3000),
        ])
        let text = FlightReview(log, path: "f.bag").text
        let lines = [
            "  0.00 s  vehicle: no odometry (3 times, until 2.00 s)", "  2.50 s  vehicle: odometry is back",
            "  3.00 s  vehicle: no odometry",
        ]
        #expect(text.hasSuffix("\nevents\n" + lines.joined(separator: "\n") + "\n"), "\(text)")
        #expect(log.events.count == 5)
    }

    @Test func `the kinds of machine stand in it once, and are no events`() throws {
        let review = FlightReview(
            try BagOfNotes.log([
                BagOfNotes.machine("Tello"), BagOfNotes.machine("Tello"), BagOfNotes.machine("AR.Drone\u{7}"),
            ]), path: "f.bag")
        #expect(review.text.contains("vehicle: Tello, AR.Drone"))
        #expect(!review.text.contains("events") && !review.text.contains("\u{7}"))
        #expect(review.json.text.contains(#""machines": ["Tello", "AR.Drone"#))
    }

    @Test func `one whose program was killed says so, and how to repair it`() throws {
        let notes = [BagOfNotes.command(.hover, at: 0)]
        let log = try BagOfNotes.log(notes, ended: false)
        #expect(!log.isWhole && log.cutOff == nil && log.commands.count == 1)
        #expect(FlightReview(log, path: "f.bag").text.contains("was not closed"))
        #expect(FlightReview(log, path: "f.bag").text.contains("rosbag reindex"))
        #expect(!FlightReview(try BagOfNotes.log(notes), path: "f.bag").text.contains("closed"))
    }

    @Test func `text from the vehicle cannot reach the terminal`() throws {
        let evil = "\u{1B}[2J\u{7}gone\n"
        let log = try BagOfNotes.log([
            BagOfNotes.command(.hover, at: 0, .success(CommandReply(accepted: false, message: evil))),
            .event(RecordedEvent(.error, "vehicle" + evil, evil, at: BagOfNotes.at(5))),
        ])
        let text = FlightReview(log, path: evil).text
        #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(text.contains("gone"))
    }

    @Test func `nothing recorded is no reason to fail`() throws {
        let review = FlightReview(try BagOfNotes.log([]), path: "f.bag")
        #expect(review.text.hasPrefix("f.bag: 0.0 s, 0 messages on 0 topics\n"))
        #expect(review.setpoints.longestGapNanoseconds == nil && review.flownMetres == 0)
    }
}
