import Foundation
import IntegrationKit

/// The root that `scripts/vehicle-root` has made: a Debian that never saw Swift.
enum VehicleRoot {
    /// Its path.
    static let path = BuiltPrograms.repository + "/.build/vehicle-root/bullseye"

    /// Why no vehicle can be put there; `nil` if one can.
    static let missing: String? = {
        #if os(Linux)
            if let reason = SeparateNetworks.missing { return reason }
            guard FileManager.default.isReadableFile(atPath: path + "/etc/uavlink-recipe") else {
                return "scripts/vehicle-root has not made \(path)"
            }
            guard FileManager.default.fileExists(atPath: "/dev/net/tun") else { return "there is no /dev/net/tun" }
            return BuiltPrograms.folder == nil ? "the programs are not built" : nil
        #else
            return "namespaces of Linux are needed"
        #endif
    }()
}
