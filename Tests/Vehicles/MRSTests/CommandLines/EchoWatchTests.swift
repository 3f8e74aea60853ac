import MRS
import Testing
import UAVLink

/// What `rostopic echo` writes to standard error, in rostopic 1.16's own words, and what is said of it.
@Suite struct EchoWatchTests {
    private static let topic = "/uav1/control_manager/diagnostics"

    private func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    private func running(_ errors: String = "") -> EchoWatch {
        var watch = EchoWatch(name: Self.topic)
        watch.began(at: time(0))
        watch.printed(errors: Array(errors.utf8))
        return watch
    }

    @Test(arguments: [
        (
            "ERROR: Cannot load message class for [mrs_msgs/ControlManagerDiagnostics]. Are your messages built?\n", 1,
            LinkError.Code.typeMismatch,
            "rostopic on the vehicle does not know the message type mrs_msgs/ControlManagerDiagnostics of \(topic)"
        ),
        (
            "ERROR: Unable to communicate with master!\n", 1, .rosMasterUnreachable,
            "the vehicle cannot reach its ROS master"
        ),
        (
            "Network communication failed. Most likely failed to communicate with master.\n", 1, .rosMasterUnreachable,
            "the vehicle cannot reach its ROS master"
        ),
        ("bash: line 3: rostopic: command not found\n", 127, .remoteFailed, "rostopic was not found on the vehicle"),
        (
            "Traceback (most recent call last):\n  File \"x\"\nValueError: no\u{1B}[2J\n\n", 1, .remoteFailed,
            "rostopic for \(topic) ended with status 1: ValueError: no"
        ),
        ("", 0, .remoteFailed, "rostopic for \(topic) ended with status 0"),
    ]) func `why it has ended is said`(_ errors: String, _ status: Int, _ code: LinkError.Code, _ what: String) {
        var watch = running(errors)
        watch.ended(status: status)
        let fault = watch.fault(now: time(1))
        #expect(fault?.code == code && fault?.what.hasPrefix(what) == true, "\(fault as Any)")
        #expect(fault?.what.unicodeScalars.contains("\u{1B}") == false)
    }

    @Test func `a topic that is not published, or by nobody in simulated time, is named while rostopic waits`() {
        let waits = running("WARNING: topic [\(Self.topic)] does not appear to be published yet\n")
        #expect(waits.fault(now: time(1))?.what == "no node on the vehicle publishes \(Self.topic)")
        let simulated = running(
            "WARNING: no messages received and simulated time is active.\nIs /clock being published?\n")
        #expect(simulated.fault(now: time(3))?.hint == "does the simulator publish /clock?")
    }

    @Test func `words that come in pieces are put together, and a flood of them is bounded`() {
        var watch = running()
        for byte in "ERROR: Cannot load message class for [a/B]. Are your messages built?\n".utf8 {
            watch.printed(errors: [byte])
        }
        #expect(watch.fault(now: time(1))?.what.contains("message type a/B of") == true)
        for _ in 0..<100 { watch.printed(errors: Array(repeating: 0x78, count: 1000)) }
        #expect(watch.errorBytes.count == 4096)
    }

    @Test func `the reason of an earlier one is not said for long of one that runs and is silent`() {
        var watch = running("ERROR: Unable to communicate with master!\n")
        watch.ended(status: 1)
        watch.began(at: time(2))
        #expect(watch.fault(now: time(11.9))?.code == .rosMasterUnreachable)
        #expect(watch.fault(now: time(12.1))?.what.hasPrefix("no messages on \(Self.topic)") == true)
        watch.ended(status: 0)
        #expect(watch.fault(now: time(30))?.code == .remoteFailed)
        watch.began(at: time(31))
        watch.printed(errors: Array("Unable to communicate with master!".utf8))
        #expect(watch.fault(now: time(60))?.code == .rosMasterUnreachable)
    }

    @Test func `a node that has ended is found by its silence, and a message ends every reason`() {
        var watch = running()
        #expect(watch.fault(now: time(9.9)) == nil)
        #expect(watch.fault(now: time(10.1))?.what.hasPrefix("no messages on \(Self.topic)") == true)
        watch.messageCame(at: time(12))
        #expect(watch.fault(now: time(21)) == nil)
        // It had published, and no longer does.
        #expect(watch.fault(now: time(22.1)) != nil)
        watch.printed(errors: Array("Unable to communicate with master!".utf8))
        #expect(watch.fault(now: time(13))?.code == .rosMasterUnreachable)
        watch.messageCame(at: time(14))
        #expect(watch.fault(now: time(15)) == nil && watch.errorBytes.isEmpty)
    }

    @Test func `it is started again after 1, 2, 4 and 8 s, and after 1 s again once a message came`() {
        var watch = EchoWatch(name: Self.topic)
        func pauses(_ count: Int, from start: Double) -> [Duration] {
            (0..<count).map { number in
                watch.began(at: time(start + Double(number)))
                watch.ended(status: 1)
                return watch.pause
            }
        }
        #expect(pauses(6, from: 0) == [1, 2, 4, 8, 8, 8].map { .seconds($0) })
        watch.began(at: time(10))
        watch.messageCame(at: time(11))
        #expect(pauses(2, from: 12) == [.seconds(1), .seconds(2)])
        // Not only what ran and ended: also what could not be started.
        watch.failed(LinkError(.remoteFailed, "no environment of ROS"))
        #expect(watch.pause == .seconds(4) && watch.fault(now: time(20))?.what == "no environment of ROS")
    }

    @Test func `the reason of the end holds until the next one has shown something`() {
        var watch = running("ERROR: Unable to communicate with master!\n")
        watch.ended(status: 1)
        watch.began(at: time(2))
        #expect(watch.fault(now: time(3))?.code == .rosMasterUnreachable)
        watch.printed(errors: Array("WARNING: topic [x] does not appear to be published yet\n".utf8))
        #expect(watch.fault(now: time(4))?.code == .serviceMissing)
    }
}

/// What is said of all printed topics together.
@Suite struct EchoWatchesTests {
    private let start = MonotonicTime(nanoseconds: 0)

    private func watches() throws -> EchoWatches {
        var watches = EchoWatches(try VehicleNames(vehicle: "uav1"))
        for topic in VehicleTopic.printable { watches[topic].began(at: start) }
        return watches
    }

    @Test
    func `what the flight state is derived from comes first, and a vehicle without a battery's sensor has no fault`()
        throws
    {
        var watches = try watches()
        let telemetry = Telemetry(vehicle: "uav1")
        let notPublished = Array("does not appear to be published yet".utf8)
        watches[.battery].printed(errors: notPublished)
        #expect(watches.fault(telemetry, now: start) == nil)
        watches[.estimationDiagnostics].printed(errors: notPublished)
        #expect(watches.fault(telemetry, now: start)?.what.contains("/uav1/estimation_manager/diagnostics") == true)
        watches[.uavStatus].printed(errors: notPublished)
        #expect(watches.fault(telemetry, now: start)?.what.contains("/uav1/mrs_uav_status/uav_status") == true)
        watches.messageCame(.uavStatus, at: start)
        watches.messageCame(.estimationDiagnostics, at: start)
        watches.messageCame(.controlDiagnostics, at: start)
        // The status node runs, and is not told the status of the hardware.
        let fault = watches.fault(telemetry, now: start)
        #expect(fault?.what == "/uav1/mrs_uav_status/uav_status has no status of the hardware", "\(fault as Any)")
        #expect(fault?.hint.contains("/uav1/hw_api/status") == true)
        var known = telemetry
        known.flight = Sample(
            FlightStatus(
                state: .disarmed, isArmed: false, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false),
            at: start)
        #expect(watches.fault(known, now: start) == nil)
    }
}
