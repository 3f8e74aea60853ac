import MRSMessages
import Testing
import UAVLink

@testable import MRS

/// What the vehicle does must be known while it is steered.
@Suite struct SilentTopicTests {
    private func at(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    @Test func `a vehicle that was not heard yet is not silent`() {
        #expect(TelemetryAssembler(vehicle: "uav1").silentTopic(now: at(1_000_000)) == nil)
    }

    @Test func `diagnostics that stopped two seconds ago are named, whatever else is heard`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(MRSMsgs.ControlManagerDiagnostics(), at: at(1000))
        assembler.take(MRSMsgs.HwApiStatus(), at: at(2990))
        #expect(assembler.silentTopic(now: at(3000)) == nil)
        #expect(assembler.silentTopic(now: at(3001)) == .controlDiagnostics)
        assembler.take(MRSMsgs.ControlManagerDiagnostics(), at: at(3100))
        #expect(assembler.silentTopic(now: at(3101)) == nil)
    }

    @Test func `so is the hardware's status after three: diagnostics do not tell that the radio has the vehicle`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(MRSMsgs.HwApiStatus(), at: at(1000))
        assembler.take(MRSMsgs.ControlManagerDiagnostics(), at: at(4000))
        #expect(assembler.silentTopic(now: at(4000)) == nil)
        #expect(assembler.silentTopic(now: at(4001)) == .hardwareStatus)
    }

    @Test(arguments: [true, false])
    func `a status of once a second is enough, its own or that of the vehicle's status`(isOwn: Bool) {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        var slow = MRSMsgs.UavStatus()
        slow.hwApiStateHz = 1
        for second in 1...10 {
            assembler.take(MRSMsgs.ControlManagerDiagnostics(), at: at(second * 1000))
            if isOwn {
                assembler.take(MRSMsgs.HwApiStatus(), at: at(second * 1000))
            } else {
                assembler.take(slow, at: at(second * 1000))
            }
            #expect(assembler.silentTopic(now: at(second * 1000 + 990)) == nil)
        }
    }

    /// It repeats what it received last.
    @Test func `the vehicle's status does not stand for a status of the hardware that was received, and is silent`() {
        var assembler = TelemetryAssembler(vehicle: "uav1")
        assembler.take(MRSMsgs.HwApiStatus(), at: at(1000))
        var slow = MRSMsgs.UavStatus()
        slow.hwApiStateHz = 350
        for second in 2...4 {
            assembler.take(MRSMsgs.ControlManagerDiagnostics(), at: at(second * 1000))
            assembler.take(slow, at: at(second * 1000))
        }
        #expect(assembler.silentTopic(now: at(4000)) == nil)
        #expect(assembler.silentTopic(now: at(4001)) == .hardwareStatus)
    }
}
