internal import TextSearch
public import UAVLink

/// What the programs of ROS need in their environment on a vehicle, and where that was found.
public struct ROSEnvironment: Hashable, Sendable {
    /// Where it was found; ``EnvironmentSearch`` has the order. The raw values are those of its answer and of JSON.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// The profile's `setup`; nothing was searched.
        case profile
        /// The environment of each log-in has ROS.
        case logIn = "log-in"
        /// The environment of a running node, or of the ROS master.
        case process
        /// Setup files that a start-up file of the user's shell reads.
        case startUpFile = "start-up-file"
        /// A workspace in the user's home.
        case workspace
        /// An installation below `/opt/ros`.
        case installation
        /// The system's own packages, which need no setup file.
        case packages
        /// Nowhere.
        case missing = "none"
    }

    /// A variable with its value there.
    public struct Variable: Hashable, Sendable {
        /// Its name, one of ``ROSEnvironment/variableNames``.
        public let name: String
        /// Its value; of `PATH` the part that comes before that of the log-in.
        public let value: String

        /// Creates a variable.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All that is taken over from the vehicle's shells and processes.
    public static let variableNames = Set(ROSVersion.one.variableNames + ROSVersion.two(domain: nil).variableNames)

    /// What to do when ROS is not found, or the wrong one.
    public static let advice =
        "name ROS's setup file as 'setup' in the vehicle's profile, for example: source ~/workspace/devel/setup.bash"

    /// The ROS that it is of.
    public var ros = ROSVersion.one
    /// Where it was found.
    public var source: Source
    /// What exactly has it: a file, a folder, or the name of a process.
    public var place = ""
    /// The setup files, in order; it is invalid when one of them is gone.
    public var files: [String] = []
    /// The process that has it, or that names the ROS master; it is invalid when that has ended.
    public var process: Int?
    /// The name of ROS's release, `noetic` for example; empty if unknown.
    public var distribution = ""
    /// The variables that differ from those of the log-in.
    public var variables: [Variable] = []
    /// Whether Python finds the messages of the flight stack with it.
    public var knowsMessages = false
    /// Where was looked, in order, up to the place where it was found.
    public var searched: [String] = []
    /// What the user should know about the search.
    public var notes: [String] = []
    /// The ROS masters that were seen on the vehicle's computer; one may be there under several names.
    public internal(set) var masters: [String] = []
    /// The ROS master that the environment leads to, as far as it says.
    var usedMaster: String?
    /// Whether the log-in, a start-up file, or the profile names the ROS master.
    public internal(set) var isMasterNamed = false
    /// Why it must not be used: which of several ROS masters is meant is not known.
    public internal(set) var ambiguity: LinkError?
    /// The set-up of the profile, as the user wrote it.
    private(set) var profileSetup = ""
    /// The ROS master that is used in place of the one of the profile's set-up.
    var masterOverride: String?

    /// The environment that a profile's set-up makes, which may be empty.
    ///
    /// - Parameter master: the ROS master that the profile names.
    public init(profileSetup: String, master: String? = nil, ros: ROSVersion = .one) {
        self.ros = ros
        source = .profile
        self.profileSetup = profileSetup
        masterOverride = master
        usedMaster = master
        isMasterNamed = ros.isTwo || master != nil || profileSetup.includes("ROS_MASTER_URI")
    }

    /// An environment without anything in it yet.
    init(_ source: Source) { self.source = source }

    /// The environment after a search that ended without an answer.
    public init(unansweredSearch reason: String) {
        source = .missing
        notes = [reason]
    }

    /// Whether it is the result of a search, so that another search may find a better one.
    public var isFound: Bool { source != .profile }

    /// More than this is not repeated on each command line, which SSH limits: then the setup files are read each time.
    static let longestExports = 12_000

    /// Shell code for bash or sh that makes this environment; it fails if what the environment came from is gone.
    ///
    /// The variables are those that the setup files had made, which takes no time; reading the files takes ROS 0.2 s and more.
    public var setup: String {
        guard case .two(let domain?) = ros else { return setupInAnyDomain }
        let setup = setupInAnyDomain
        // A set-up that fails must fail with this, too.
        return "{ \(setup.allSatisfy(\.isWhitespace) ? ":" : setup)\n} && export ROS_DOMAIN_ID=\(domain)"
    }

    private var setupInAnyDomain: String {
        guard isFound else {
            guard let masterOverride else { return profileSetup }
            // A set-up that fails must fail with this, too.
            return "{ \(profileSetup)\n} && export ROS_MASTER_URI=\(RemoteShell.word(masterOverride))"
        }
        var steps = files.map { "[ -r \(RemoteShell.word($0)) ]" }
        if let process { steps.append("[ -d /proc/\(process) ]") }
        let exports = export(variables)
        if exports.utf8.count > Self.longestExports, !files.isEmpty {
            steps += files.map { "source \(RemoteShell.word($0))" }
            steps.append(export(variables.filter { ros.networkNames.contains($0.name) }))
        } else {
            steps.append(exports)
        }
        return steps.filter { !$0.isEmpty }.joined(separator: " && ")
    }

    private func export(_ variables: [Variable]) -> String {
        guard !variables.isEmpty else { return "" }
        let words = variables.map { variable in
            "\(variable.name)=\(RemoteShell.word(variable.value))" + (variable.name == "PATH" ? #":"$PATH""# : "")
        }
        return "export " + words.joined(separator: " ")
    }

    /// What it is and where it comes from, in one line; may contain text from the vehicle.
    public var summary: String {
        let ros = distribution.isEmpty ? "ROS" : "ROS \(distribution)"
        return switch source {
        case .profile: profileSetup.isEmpty ? "no set-up" : "the profile's 'setup'"
        case .logIn: "\(ros), set in the environment of the log-in: \(place)"
        case .process: "\(ros), as in the environment of the running \(place)" + processText
        case .startUpFile: "\(ros), as \(place) sets it up: \(files.joined(separator: ", "))"
        case .workspace: "\(ros), from the workspace \(place)"
        case .installation: "\(ros), installed in \(place)"
        case .packages: "\(ros), from the system's packages: \(place)"
        case .missing: "\(self.ros.name) was not found on the vehicle" + searchText
        }
    }

    private var processText: String { process.map { " (process \($0))" } ?? "" }

    private var searchText: String {
        if searched.isEmpty { return notes.first.map { ": \($0)" } ?? "" }
        return "; \(ros.program) is not in: " + searched.joined(separator: ", ")
    }

    /// The error of a command that needs ROS where none was found; `nil` if there is one, or the profile has a set-up.
    public var failure: LinkError? {
        source == .missing ? LinkError(.remoteFailed, summary, hint: Self.advice) : ambiguity
    }
}
