internal import SystemKit

/// What a deployment needs to know of the vehicle's computer.
package struct HostFacts: Hashable, Sendable {
    /// Why nothing can be put into the home.
    package enum HomeProblem: Hashable, Sendable {
        /// The user has no home folder, or it does not exist.
        case missing
        /// A file is in the place of a folder.
        case blocked(String)
        /// A symbolic link that leads nowhere is in the place of a folder: `PATH -> TARGET`.
        case dangling(String)
        /// The user may not write into this folder, or its file system is read-only.
        case unwritable(String)
    }

    /// A companion that runs there.
    package struct Running: Hashable, Sendable {
        /// Its process.
        package var process: Int
        /// Whether it is a process of the user.
        package var isOwn: Bool
        /// The service unit that it belongs to; `nil` if it was started on demand.
        package var unit: String?
        /// The vehicle that it serves.
        package var vehicle: String
        /// The path of its program; empty if the user may not know it.
        package var program: String
    }

    /// Who wrote a service unit.
    package enum Unit: Hashable, Sendable {
        /// A deployment.
        case ours
        /// Somebody else.
        case foreign
    }

    /// What is at the place where the deployed companion is found.
    package enum Installed: Hashable, Sendable {
        /// Nothing.
        case nothing
        /// A program that was deployed, by its name in our folder.
        case deployed(String)
        /// Another program, or a link to one.
        case other
        /// A folder, or a link to one, which is in the way.
        case folder
    }

    /// `uname -s`: `Linux`.
    package var system = ""
    /// `uname -m`: `x86_64`, `aarch64`; empty if it has a character that no architecture has.
    package var architecture = ""
    /// `uname -r`.
    package var kernel = ""
    /// The C library and its version: `glibc 2.31`.
    package var libc = ""
    /// The log-in shell.
    package var shell = ""
    /// The user's name.
    package var user = ""
    /// The user's home, an absolute path; empty if there is none.
    package var home = ""
    /// Why nothing can be put into it; `nil` if it can.
    package var homeProblem: HomeProblem?
    /// The folders that must be made, relative to the home.
    package var missingFolders: [String] = []
    /// The free space there, bytes; `nil` if unknown.
    package var freeBytes: Int?
    /// Whether programs may not be run from there; `nil` if unknown.
    package var isNoexec: Bool?
    /// Whether the user has a service manager.
    package var hasUserManager = false
    /// Whether the user's services go on after the last log-out.
    package var lingers = false
    /// The service unit of the user with the companion's name; `nil` if there is none.
    package var unit: Unit?
    /// The vehicle that the unit of a deployment is for; `nil` if there is none, or it does not say.
    package var unitVehicle: String?
    /// The setup files of ROS that were found in the usual places.
    package var setupFiles: [String] = []
    /// Whether a ROS master runs there.
    package var hasMaster = false
    /// What is at the place of the deployed companion.
    package var installed = Installed.nothing
    /// The one that was deployed before, by its name in our folder.
    package var previous: String?
    /// The programs in our folder.
    package var stored: [String] = []
    /// What is left of uploads that were cut.
    package var partial: [String] = []
    /// Whether the list of the folders that a deployment has made is there.
    package var hasMadeFolders = false
    /// Whether another program was replaced by ours and is kept.
    package var hasOriginal = false
    /// The program that a bootstrap without a path finds; `nil` if none.
    package var found: String?
    /// What it prints as its version.
    package var foundVersion: String?
    /// The companions with a vehicle that run there.
    package var running: [Running] = []

    /// Whether anything of a deployment is there.
    package var hasDeployment: Bool {
        if case .deployed = installed { return true }
        return !stored.isEmpty || !partial.isEmpty || hasOriginal || hasMadeFolders
    }

    /// Whether a companion belongs to the unit that a deployment has written.
    func isOurService(_ companion: Running) -> Bool {
        companion.isOwn && companion.unit == ServiceUnit.name && unit == .ours
    }

    /// Whether a companion runs from a program that was deployed; not from the one that was there before, which stays.
    func isDeployed(_ companion: Running) -> Bool {
        companion.program.hasPrefix(folder + "/") && !companion.program.hasPrefix(folder + "/original")
    }

    /// Whether the user's name can be part of a command that is run as root.
    var hasPortableUser: Bool { HostProcess.isPortableUserName(user) }

    /// The folder of the programs.
    var folder: String { "\(home)/\(ScriptText.folder)" }

    /// The program in our folder with this checksum.
    func storedProgram(withChecksum checksum: String) -> String? {
        let ending = "-\(checksum.prefix(CompanionFile.shortDigits))"
        return stored.first { $0.hasSuffix(ending) }
    }

    /// ROS as it was found: `ROS 1 noetic (/opt/ros/noetic/setup.bash)`; one text for each setup file.
    package var ros: [String] {
        setupFiles.map { file in
            guard let rest = Self.rest(of: file, after: "/opt/ros/") else { return "workspace \(file)" }
            let name = String(rest.prefix { $0 != "/" })
            return "ROS \(Self.firstROS.contains(name) ? 1 : 2) \(name) (\(file))"
        }
    }

    private static func rest(of text: String, after prefix: String) -> Substring? {
        text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : nil
    }

    /// The releases of ROS 1 that systems of today have.
    private static let firstROS: Set<String> = ["indigo", "kinetic", "lunar", "melodic", "noetic", "one"]
}
