internal import SystemKit
internal import UAVLink

/// Where this machine has programs of the companion for vehicles, by architecture.
package struct CompanionFiles: Hashable, Sendable {
    /// The file that the user named, for any architecture.
    private let named: String?
    /// The folders that are searched, each with a folder for every architecture.
    private let folders: [String]

    private static let program = "uavlink-companion"
    /// A checkout is at most so many folders above a program of its build.
    private static let depth = 6

    /// The places in their order: the named file; `UAVLINK_COMPANIONS`; `lib/uavlink/companions` beside the folder of the running
    /// program; `.build/package` of the checkout that the running program was built in.
    ///
    /// - Parameters:
    ///   - named: a file that the user named.
    ///   - executable: the path of the running program.
    package init(named: String? = nil, environment: [String: String], executable: String?) {
        self.init(named: named, environment: environment, executable: executable) { SmallFile.exists($0) }
    }

    /// - Parameter exists: whether there is a file at a path.
    init(named: String?, environment: [String: String], executable: String?, exists: (String) -> Bool) {
        self.named = named.map { FilePath.expandingHome($0) }
        var folders: [String] = []
        if let set = environment["UAVLINK_COMPANIONS"], !set.isEmpty { folders.append(set) }
        if let executable {
            var above = FilePath.folder(of: executable)
            folders.append(FilePath.joined(FilePath.folder(of: above), "lib/uavlink/companions"))
            for _ in 0..<Self.depth where above != "/" {
                above = FilePath.folder(of: above)
                guard exists(FilePath.joined(above, "Package.swift")) else { continue }
                folders.append(FilePath.joined(above, ".build/package"))
                break
            }
        }
        self.folders = folders
    }

    /// The places for an architecture, in the order in which they are searched.
    func places(_ architecture: String) -> [String] {
        if let named { return [named] }
        return folders.map { FilePath.joined(FilePath.joined($0, architecture), Self.program) }
    }

    /// The file for an architecture; `nil` if there is none.
    package func path(_ architecture: String) -> String? { path(architecture) { SmallFile.exists($0) } }

    func path(_ architecture: String, exists: (String) -> Bool) -> String? {
        if let named { return named }
        return architecture.isEmpty ? nil : places(architecture).first(where: exists)
    }

    /// Whether there may be a file for some architecture.
    package var mayHaveAny: Bool { named != nil || folders.contains { Folder.exists($0) } }

    /// The failure when there is no file for an architecture, with the way out.
    func missing(_ architecture: String) -> DeploymentFailure {
        guard !architecture.isEmpty else {
            return .refused(
                "the architecture of the vehicle's computer is not known: 'uname -m' printed no name of one",
                hint: "name the program with --program")
        }
        let places = places(architecture).map { "no \($0)" }.joined(separator: ", ")
        return .link(
            LinkError(
                .unsupported, "this machine has no companion for \(architecture): \(places)",
                hint: "run 'scripts/package' in a checkout on a machine that is \(architecture), and name its "
                    + ".build/package/\(architecture)/\(Self.program) with --program"))
    }
}
