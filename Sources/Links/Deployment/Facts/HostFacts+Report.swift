package import ReportKit

extension HostFacts {
    /// The facts as members of a report.
    package var json: [JSONValue.Member] {
        [
            .init("architecture", .string(architecture)), .init("kernel", .string("\(system) \(kernel)")),
            .init("libc", .string(libc)), .init("shell", .string(shell)), .init("user", .string(user)),
            .init("home", .string(home)), .init("free_bytes", JSONValue(freeBytes)),
            .init("noexec", JSONValue(isNoexec)), .init("ros", .array(ros.map { .string($0) })),
            .init("ros_master", .bool(hasMaster)), .init("user_services", .bool(hasUserManager)),
            .init("found", foundJSON), .init("running", .array(running.map(Self.json(of:)))),
        ]
    }

    private var foundJSON: JSONValue {
        guard let found else { return .null }
        return ["path": .string(found), "version": JSONValue(foundVersion)]
    }

    private static func json(of companion: Running) -> JSONValue {
        [
            "process": JSONValue(companion.process), "vehicle": .string(companion.vehicle),
            "program": .string(companion.program), "unit": JSONValue(companion.unit),
        ]
    }

    /// The facts in a few lines, for the user.
    package var lines: [String] {
        var place = "home \(home)"
        if let freeBytes { place += ", \(ByteText.megabytes(freeBytes)) free" }
        if isNoexec == true { place += ", mounted noexec" }
        var companion = "no companion"
        if let found { companion = "companion \(foundVersion ?? "that does not run") at \(found)" }
        for one in running {
            companion += ", one for \(one.vehicle) runs (process \(one.process)\(one.unit.map { ", \($0)" } ?? ""))"
        }
        return [
            "\(system) \(kernel) on \(architecture), \(libc)", place,
            ros.isEmpty ? "no ROS in the usual places" : ros.joined(separator: ", "), companion,
        ]
    }
}

/// Amounts of data for people.
package enum ByteText {
    /// Megabytes with one decimal.
    package static func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).formatted(decimals: 1) + " MB" }
}
