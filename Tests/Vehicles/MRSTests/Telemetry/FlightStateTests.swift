import MRS
import MRSMessages
import Testing
import UAVLink

/// Flight states from the switches as the real stack sets them; the sequence is that of a flight recorded from it.
@Suite struct FlightStateTests {
    private struct Vehicle {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        var time: Int64 = 0

        mutating func status(armed: Bool, offboard: Bool = false) -> FlightState? {
            time += 1
            assembler.take(
                MRSMsgs.HwApiStatus(armed: armed, offboard: offboard), at: MonotonicTime(nanoseconds: time))
            return assembler.telemetry.flight?.value.state
        }

        mutating func control(
            output: Bool = true, flying: Bool = false, _ tracker: String, _ controller: String = "MpcController",
            _ state: UInt8 = 0, callbacks: Bool = true
        ) -> FlightState? {
            time += 1
            var message = MRSMsgs.ControlManagerDiagnostics()
            (message.outputEnabled, message.flyingNormally) = (output, flying)
            (message.activeTracker, message.activeController) = (tracker, controller)
            (message.trackerStatus.state, message.trackerStatus.callbacksEnabled) = (state, callbacks)
            assembler.take(message, at: MonotonicTime(nanoseconds: time))
            return assembler.telemetry.flight?.value.state
        }
    }

    @Test func `a whole flight as the real stack tells it`() {
        var vehicle = Vehicle()
        #expect(vehicle.status(armed: false) == .disarmed)
        #expect(vehicle.control(output: false, "NullTracker", "EmergencyController", callbacks: false) == .disarmed)
        #expect(vehicle.status(armed: true) == .armed)
        #expect(vehicle.control("NullTracker", "EmergencyController", callbacks: false) == .armed)
        #expect(vehicle.status(armed: true, offboard: true) == .armed)
        #expect(vehicle.control("NullTracker", callbacks: false) == .armed)
        #expect(vehicle.control("LandoffTracker", "MpcController", 0) == .takingOff)
        #expect(vehicle.control("LandoffTracker", "MpcController", 1) == .takingOff)
        #expect(vehicle.control("LandoffTracker", "MpcController", 2) == .takingOff)
        #expect(vehicle.control("LandoffTracker", "MpcController", 1) == .takingOff)
        #expect(vehicle.control(flying: true, "MpcTracker", "MpcController", 4, callbacks: false) == .flying)
        #expect(vehicle.assembler.telemetry.tracker?.value.takesReferences == false)
        #expect(vehicle.control(flying: true, "MpcTracker", "MpcController", 3) == .flying)
        #expect(vehicle.assembler.telemetry.tracker?.value.takesReferences == true)
        #expect(vehicle.control("LandoffTracker", "MpcController", 0) == .landing)
        #expect(vehicle.control("LandoffTracker", "MpcController", 6) == .landing)
        #expect(vehicle.control("NullTracker", callbacks: false) == .armed)
        #expect(vehicle.control(output: false, "NullTracker", "EmergencyController") == .armed)
        #expect(vehicle.status(armed: false, offboard: true) == .disarmed)
    }

    @Test func `the emergency controller in the air is an emergency`() {
        var vehicle = Vehicle()
        _ = vehicle.status(armed: true)
        _ = vehicle.control(flying: true, "MpcTracker")
        #expect(vehicle.control("LandoffTracker", "EmergencyController", 6) == .emergency)
        #expect(vehicle.control("MpcTracker", "FailsafeController") == .emergency)
    }

    @Test func `nothing is claimed before it was heard`() {
        var vehicle = Vehicle()
        #expect(vehicle.assembler.telemetry.flight == nil)
        #expect(vehicle.control(output: false, "NullTracker") == .unknown)
        // In the air without a word on arming it is in the air anyway.
        #expect(vehicle.control(flying: true, "MpcTracker") == .flying)
    }

    /// As MRS's simulator, whose autopilot has no name for its mode: its output shows who flies.
    @Test func `a slow status without a mode does not mean that the radio flies`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        let now = MonotonicTime(nanoseconds: 1)
        var slow = MRSMsgs.UavStatus()
        (slow.hwApiArmed, slow.hwApiStateHz) = (true, 350)
        assembler.take(slow, at: now)
        #expect(assembler.telemetry.flight?.value.isOffboard == false)
        var control = MRSMsgs.ControlManagerDiagnostics()
        (control.activeTracker, control.outputEnabled, control.flyingNormally) = ("MpcTracker", true, true)
        assembler.take(control, at: now)
        #expect(assembler.telemetry.flight?.value.state == .flying)
        #expect(assembler.telemetry.flight?.value.isOffboard == true)
        // Taken by radio, the stack switches its output off.
        (control.activeTracker, control.outputEnabled, control.flyingNormally) = ("NullTracker", false, false)
        assembler.take(control, at: now)
        #expect(assembler.telemetry.flight?.value.state == .armed)
        #expect(assembler.telemetry.flight?.value.isOffboard == false)
        slow.hwApiMode = "POSCTL"
        assembler.take(slow, at: now)
        (control.activeTracker, control.outputEnabled, control.flyingNormally) = ("MpcTracker", true, true)
        assembler.take(control, at: now)
        #expect(assembler.telemetry.flight?.value.isOffboard == false)
    }

    @Test func `the slow status tells of arming where nothing faster does`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
        var slow = MRSMsgs.UavStatus()
        (slow.hwApiArmed, slow.hwApiMode, slow.hwApiStateHz) = (true, "OFFBOARD", 350)
        assembler.take(slow, at: at(0))
        #expect(assembler.telemetry.flight?.value.isArmed == true)
        // Whether it flies is told by the control manager alone.
        #expect(assembler.telemetry.flight?.value.state == .unknown)
        #expect(assembler.telemetry.flight?.value.isOffboard == true)
        assembler.take(MRSMsgs.HwApiStatus(armed: false), at: at(1))
        assembler.take(slow, at: at(400))
        #expect(assembler.telemetry.flight?.value.state == .disarmed)
    }
}
