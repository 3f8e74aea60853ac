@testable import FlightControl
@testable import Workspace
import Testing
import UAVLink

@Suite("Alarms of all vehicles")
struct VehicleAlarmsTests {
    private func reading(_ charge: Double?, isConnected: Bool = true, id: Int = 1) -> VehicleAlarms.Reading {
        .init(id: id, title: "uav\(id)", charge: charge, isConnected: isConnected)
    }

    private func texts(_ alarms: inout VehicleAlarms, _ readings: VehicleAlarms.Reading...) -> [String] {
        alarms.look(at: readings).map(\.text)
    }

    @Test("a low battery is reported once at each limit, and again only after it was well above")
    func battery() {
        var alarms = VehicleAlarms()
        #expect(texts(&alarms, reading(0.5)) == [])
        #expect(texts(&alarms, reading(0.19)) == ["uav1: battery low, 19 %"])
        #expect(texts(&alarms, reading(0.21)) == [] && texts(&alarms, reading(0.19)) == [])
        #expect(texts(&alarms, reading(0.09)) == ["uav1: battery low, 9 %"])
        #expect(texts(&alarms, reading(0.12)) == [] && texts(&alarms, reading(0.08)) == [])
        #expect(texts(&alarms, reading(0.9)) == [])
        #expect(texts(&alarms, reading(0.05)) == ["uav1: battery low, 5 %"])
        #expect(texts(&alarms, reading(nil)) == [])
    }

    @Test("a lost link is reported once, and that it is back; one that never was up is none that was lost")
    func link() {
        var alarms = VehicleAlarms()
        #expect(texts(&alarms, reading(nil, isConnected: false)) == [])
        #expect(texts(&alarms, reading(nil)) == [])
        #expect(texts(&alarms, reading(nil, isConnected: false)) == ["uav1: link lost"])
        #expect(texts(&alarms, reading(nil, isConnected: false)) == [])
        #expect(texts(&alarms, reading(nil)) == ["uav1: link restored"])
    }

    @Test func `why telemetry does not come is reported once, and another reason again`() {
        var alarms = VehicleAlarms()
        func faulty(_ what: String?) -> VehicleAlarms.Reading {
            var reading = reading(nil)
            reading.telemetryFault = what.map { LinkError(.remoteFailed, $0, hint: "start it") }
            return reading
        }
        #expect(texts(&alarms, faulty(nil)) == [])
        #expect(texts(&alarms, faulty("no master")) == ["uav1: telemetry: no master; start it"])
        #expect(texts(&alarms, faulty("no master")) == [])
        #expect(texts(&alarms, faulty("no classes")) == ["uav1: telemetry: no classes; start it"])
        #expect(texts(&alarms, faulty(nil)) == [])
        #expect(texts(&alarms, faulty("no classes")) == ["uav1: telemetry: no classes; start it"])
    }

    @Test("each vehicle has its own, and one that logs in again starts anew")
    func vehicles() {
        var alarms = VehicleAlarms()
        #expect(
            texts(&alarms, reading(0.1, id: 1), reading(0.15, id: 2))
                == ["uav1: battery low, 10 %", "uav2: battery low, 15 %"])
        #expect(texts(&alarms, reading(0.1, id: 1)) == [])
        #expect(texts(&alarms, reading(0.15, id: 2)) == ["uav2: battery low, 15 %"])
    }

    @Test func `a take-over is told to every other pilot, with its reason`() {
        var alarms = VehicleAlarms()
        var since = MonotonicTime(nanoseconds: 1_000_000_000)
        func reading(_ name: String?, isYou: Bool = false, _ end: String = "") -> VehicleAlarms.Reading {
            // As it comes over a link, where the offset of the clocks is estimated.
            since = since + .microseconds(7)
            let pilot = name.map { ControlStatus.Pilot(name: $0, since: since, isYou: isYou) }
            return .init(
                id: 1, title: "uav1", isConnected: true, control: ControlStatus(pilot: pilot, lastEndReason: end))
        }
        // Whatever was before the log-in is no news.
        #expect(texts(&alarms, reading("cy@c", "taken over by cy@c: old")) == [])
        #expect(texts(&alarms, reading("anna@a", isYou: true, "taken over by anna@a: wind")) == [])
        let taken = alarms.look(at: [reading("bob@b", "taken over by bob@b: because of wind")])
        #expect(taken.map(\.text) == ["uav1: control taken over by bob@b: because of wind (from you)"])
        #expect(taken.map(\.weight) == [.warning])
        #expect(texts(&alarms, reading("bob@b", "taken over by bob@b: because of wind")) == [])
        let seen = alarms.look(at: [reading("cy@c", "taken over by cy@c: mine")])
        #expect(seen.map(\.text) == ["uav1: control taken over by cy@c: mine (from bob@b)"])
        #expect(seen.map(\.weight) == [.information])
        // Released, and claimed by another.
        #expect(texts(&alarms, reading(nil, "released")) == [] && texts(&alarms, reading("bob@b", "released")) == [])
    }
}
