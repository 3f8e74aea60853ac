import MRSMessages
import Testing
import UAVLink

@testable import MRS

/// A flight status is as old as the oldest of what it is derived from: whoever disarms by it relies on its age.
@Suite struct FlightStatusAgeTests {
    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    private func control(_ tracker: String, output: Bool = false) -> MRSMsgs.ControlManagerDiagnostics {
        var message = MRSMsgs.ControlManagerDiagnostics()
        (message.activeTracker, message.outputEnabled) = (tracker, output)
        return message
    }

    /// What `mrs_uav_status` relays of a status of the hardware that it receives at this rate.
    private func relayed(armed: Bool, hertz: Float = 350) -> MRSMsgs.UavStatus {
        var message = MRSMsgs.UavStatus()
        (message.hwApiArmed, message.hwApiMode, message.hwApiStateHz) = (armed, "OFFBOARD", hertz)
        return message
    }

    /// Over SSH one program prints each topic: that of the status may end alone, or the node that publishes it. A pilot who arms by radio
    /// then is not seen.
    @Test(arguments: [true, false])
    func `diagnostics do not renew the age of arming and mode`(isRelayed: Bool) {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        if isRelayed {
            assembler.take(relayed(armed: false), at: at(1000))
        } else {
            assembler.take(MRSMsgs.HwApiStatus(armed: false), at: at(1000))
        }
        for tenth in 11...50 { assembler.take(control("NullTracker"), at: at(tenth * 100)) }
        let telemetry = assembler.telemetry
        #expect(telemetry.flight?.value.state == .disarmed && telemetry.flight?.at == at(1000))
        #expect(telemetry.tracker?.at == at(5000))
        #expect(assembler.silentTopic(now: at(5000)) == .hardwareStatus)
    }

    @Test func `the status of the hardware does not renew the age of the tracker, unless it is disarmed`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(control("MpcTracker", output: true), at: at(1000))
        #expect(assembler.telemetry.flight?.at == at(1000))
        for armed in [true, false] {
            assembler.take(MRSMsgs.HwApiStatus(armed: armed), at: at(4000))
            #expect(assembler.telemetry.flight?.value.state == (armed ? .flying : .disarmed))
            #expect(assembler.telemetry.flight?.at == at(armed ? 1000 : 4000))
        }
    }

    @Test func `a change of tracker is seen at once, also where arming and mode are received once a second`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(MRSMsgs.HwApiStatus(armed: true, offboard: true), at: at(1000))
        assembler.take(control("NullTracker", output: true), at: at(1010))
        #expect(assembler.telemetry.flight?.value.state == .armed)
        assembler.take(control("LandoffTracker", output: true), at: at(1500))
        #expect(assembler.telemetry.flight?.value.state == .takingOff)
        #expect(assembler.telemetry.flight?.at == at(1000))
        assembler.take(MRSMsgs.HwApiStatus(armed: true, offboard: true), at: at(2000))
        #expect(assembler.telemetry.flight?.at == at(1500))
    }

    @Test func `a relayed status says nothing once the status of the hardware itself was received`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(relayed(armed: true), at: at(1000))
        #expect(assembler.telemetry.flight?.value.isArmed == true)
        assembler.take(MRSMsgs.HwApiStatus(armed: false), at: at(1100))
        for second in 2...9 { assembler.take(relayed(armed: true), at: at(second * 1000)) }
        #expect(assembler.telemetry.flight?.value.isArmed == false)
        #expect(assembler.telemetry.flight?.at == at(1100))
    }

    /// Before it receives one it says that the vehicle is disarmed; afterwards it repeats the last one.
    @Test func `a relayed status says nothing while its node receives none itself`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(relayed(armed: false, hertz: 0), at: at(1000))
        #expect(assembler.telemetry.flight == nil)
        assembler.take(control("NullTracker"), at: at(1100))
        #expect(assembler.telemetry.flight?.value.state == .unknown)
        assembler.take(relayed(armed: false), at: at(2000))
        assembler.take(relayed(armed: false, hertz: 0), at: at(3000))
        #expect(assembler.telemetry.flight?.value.state == .disarmed)
        #expect(assembler.telemetry.flight?.at == at(2000))
    }
}
