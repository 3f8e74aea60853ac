import FuzzKit
import UAVLink
@testable import VehicleAccess

/// Any bytes as a configuration file: every vehicle that is read can be asked for by its name and has values in range,
/// and what is wrong is reported in one line. A vehicle that is added changes nothing of what was there.
@main enum FuzzConfiguration: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        let configuration: Configuration
        do throws(LinkError) {
            configuration = try Configuration(bytes: bytes, source: "fuzz.yaml")
        } catch {
            check(error)
            return
        }
        do throws(LinkError) { _ = try configuration.profile(named: nil) } catch {
            preconditionFailure("nothing is meant by no name: \(error)")
        }
        do throws(LinkError) { _ = try configuration.profile(named: "no such vehicle\n") } catch { check(error) }
        for vehicle in configuration.vehicles {
            precondition((try? configuration.profile(named: vehicle.name)) == vehicle, "another vehicle of that name")
            precondition((1...65_535).contains(vehicle.port), "port \(vehicle.port)")
            precondition(VehicleProfile.isVehicleName(vehicle.vehicle), "vehicle \(vehicle.vehicle)")
            precondition(vehicle.host?.contains(" ") != true, "a host with a space")
        }
        add(to: bytes)
    }

    private static func add(to bytes: [UInt8]) {
        do throws(LinkError) {
            let more = try ConfigurationEdit(bytes, source: "config.yaml").adding(VehicleProfile(name: "one more"))
            var rest = more[...]
            for byte in bytes {
                guard let at = rest.firstIndex(of: byte) else { preconditionFailure("a byte was lost") }
                rest = rest[(at + 1)...]
            }
        } catch {
            check(error)
        }
    }

    private static func check(_ error: LinkError) {
        precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
    }
}
