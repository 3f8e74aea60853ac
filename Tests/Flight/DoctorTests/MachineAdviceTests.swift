import MRS
import Testing
import UAVLink
import VehicleAccess

@testable import Doctor

@Suite("Advice on machines with their own protocol") struct MachineAdviceTests {
    private static let begin = MonotonicTime(nanoseconds: 1_000_000_000)
    private let drone = VehicleCapabilities(
        machine: "Drone", commands: [.takeoff, .land], steering: nil, telemetry: [.flight, .battery, .messages])
    private let robot = VehicleCapabilities(
        machine: "Robot", commands: .hover, steering: nil, telemetry: [.battery, .messages])

    private func telemetry(
        _ state: FlightState? = .disarmed, battery: Double? = nil, _ change: (inout Telemetry) -> Void = { _ in }
    ) -> Telemetry {
        var telemetry = Telemetry(vehicle: "d1")
        if let state {
            let status = FlightStatus(
                state: state, isArmed: false, isOffboard: false, isOutputEnabled: false, isFlyingNormally: false)
            telemetry.flight = Sample(status, at: Self.begin)
        }
        if let battery { telemetry.battery = Sample(Battery(remaining: battery), at: Self.begin) }
        change(&telemetry)
        return telemetry
    }

    private func finding(
        _ telemetry: Telemetry?, of capabilities: VehicleCapabilities, at address: String? = nil,
        after time: Duration = .zero
    ) -> Finding {
        var seen = LinkExamination(capabilities: capabilities)
        seen.telemetry = telemetry
        seen.silence = MachineAdvice.silence(telemetry, of: capabilities, now: Self.begin + time)
        return LinkAdvice.finding(address == nil ? .udp : .direct, seen, of: Self.profile(at: address))
    }

    /// Of a machine at an address, else of one behind a bridge.
    private static func profile(at address: String?) -> VehicleProfile {
        if let machine = address.flatMap({ MachineAddress($0) }) { return VehicleProfile(machine: machine) }
        var profile = VehicleProfile(name: "drone")
        (profile.host, profile.companion) = ("10.0.0.7", "uavlink")
        return profile
    }

    @Test func `a machine that shows what it does is well, and is told from a vehicle with a flight stack`() {
        #expect(finding(telemetry(), of: drone, at: "ardrone://h").verdict == .good)
        #expect(MachineAdvice.isMachine(drone) && MachineAdvice.isMachine(robot))
        #expect(!MachineAdvice.isMachine(.mrs) && !MachineAdvice.isMachine(.simulatedMRS))
    }

    @Test func `nothing of a flight stack or of ROS is said of a machine`() {
        for address in [nil, "tello://h"] {
            let computer = address == nil ? "the bridge's computer" : "this computer"
            let absent = finding(nil, of: drone, at: address)
            #expect(absent.verdict == .bad && absent.message == "connected, but no telemetry was received")
            #expect(absent.advice == "is the Drone switched on, and \(computer) in its Wi-Fi?")
            let silent = finding(telemetry(), of: drone, at: address, after: .seconds(5))
            #expect(silent.verdict == .bad && silent.message == "connected, but the Drone has been silent for 5 s")
            #expect(silent.advice == absent.advice)
        }
        // It answers, so it is there.
        var answering = LinkExamination(capabilities: drone)
        answering.quality.roundTripMedian = .milliseconds(20)
        let deaf = LinkAdvice.finding(.direct, answering, of: Self.profile(at: "tello://h"))
        #expect(deaf.verdict == .bad && deaf.advice.hasPrefix("let UDP in on port 8890 of this computer"))
        #expect(finding(telemetry(), of: .mrs, after: .seconds(5)).advice.contains("flight stack"))
    }

    @Test func `where nothing comes, the advice is about what is there`() {
        let nothing = LinkExamination(capabilities: .mrs)
        func advice(_ profile: VehicleProfile) -> String {
            let finding = LinkAdvice.finding(.udp, nothing, of: profile)
            return finding.verdict == .bad ? finding.advice : ""
        }
        var hexa = VehicleProfile(name: "hexa1")
        hexa.host = "10.0.0.8"
        #expect(advice(hexa) == "see the findings about ROS on the vehicle above")
        #expect(advice(VehicleProfile(name: "local")).contains("the log of the companion"))
        #expect(advice(Self.profile(at: nil)).hasSuffix("See the bridge's terminal"))
    }

    @Test func `a drone that answers, and whose state does not come, is named with the port`() {
        for state in [nil, FlightState.unknown] {
            let direct = finding(telemetry(state, battery: 0.8), of: drone, at: "tello://h")
            #expect(direct.verdict == .warning && direct.message.hasSuffix("but the Drone does not show what it does"))
            #expect(direct.advice.hasPrefix("let UDP in on port 8890 of this computer"))
            let bridged = finding(telemetry(state, battery: 0.8), of: drone)
            #expect(bridged.advice.hasPrefix("let UDP in on the bridge's computer"))
        }
    }

    @Test func `a robot that says nothing may be well`() {
        let silent = finding(nil, of: robot, at: "bluno:///dev/ttyACM0")
        #expect(silent.verdict == .good && silent.message.contains("has said nothing"))
        #expect(silent.advice.contains("uavlink send"))
        let told = finding(telemetry(nil, battery: 0.9), of: robot, at: "bluno:///dev/ttyACM0", after: .seconds(60))
        #expect(told.verdict == .good && told.advice.isEmpty)
    }

    @Test func `its battery, an emergency and its warnings are findings`() {
        #expect(MachineAdvice.findings(telemetry(battery: 0.87), of: drone).map(\.message) == ["87 % left"])
        let low = MachineAdvice.findings(telemetry(battery: 0.12), of: drone)
        #expect(low.map(\.verdict) == [.warning] && low[0].advice.contains("charge"))
        var clearing = drone
        clearing.takeOffClearsEmergency = true
        for (machine, word) in [(drone, "off and on"), (clearing, "uavlink takeoff")] {
            let cut = MachineAdvice.findings(telemetry(.emergency), of: machine)
            #expect(cut.map(\.verdict) == [.warning] && cut[0].advice.contains(word))
        }
        let warned = telemetry {
            for (severity, text) in [
                (VehicleMessage.Severity.information, "hello"), (.warning, "hot"), (.warning, "hot"), (.error, "cut"),
            ] {
                $0.append(Sample(VehicleMessage(severity: severity, text: text), at: Self.begin))
            }
        }
        #expect(MachineAdvice.findings(warned, of: drone).map(\.message) == ["hot", "cut"])
    }
}
