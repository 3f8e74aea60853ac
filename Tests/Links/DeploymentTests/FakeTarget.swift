import Synchronization
import UAVLink

@testable import Deployment

/// A vehicle's computer that answers as a test says, and remembers what was asked of it, in order.
final class FakeTarget: DeploymentTarget {
    struct State {
        /// What the looks at the computer print, one each; the last one lasts.
        var looks: [String]
        /// What it prints, by the name of the script.
        var answers: [String: String] = [:]
        /// The failures of scripts, by their name.
        var failures: [String: DeploymentFailure] = [:]
        /// Exit status, output and errors of programs that are run after the set-up, by their last word.
        var programs: [String: ProgramResult] = [:]
        /// What the looks at the vehicle show, one each; the last one lasts.
        var flight: [FlightCondition] = [.onGround]
        /// What the companion says of itself at the next questions, before what ``programs`` has.
        var statuses: [ProgramResult] = []
        var uploadFailure: DeploymentFailure?
        var proof: Result<ChannelProof, DeploymentFailure> = .success(
            ChannelProof(link: .udp, roundTrip: .milliseconds(2), version: "0.2.0"))
        var asked: [String] = []
        /// Whether the vehicle is watched over a link, which would start a companion again that is ended.
        var isWatching = false
        /// What was done meanwhile that needs the link closed.
        var doneWhileWatching: [String] = []

        mutating func ask(_ what: String) {
            asked.append(what)
            let needsClosedLink = ["restart", "service", "remove", "prove"].contains(what) || what.hasSuffix(" stop")
            if isWatching, needsClosedLink { doneWhileWatching.append(what) }
        }
    }

    let state: Mutex<State>

    init(_ facts: String = SampleFacts().text) {
        var state = State(looks: [facts])
        state.answers = [
            "prepare": FakeTarget.answer("prepared"),
            "install": FakeTarget.answer("name \(SampleFacts.new)", "version 0.2.0"),
            "rollback": FakeTarget.answer("name \(SampleFacts.older)", "version 0.0.9", "previous \(SampleFacts.old)"),
            "remove": FakeTarget.answer("removed .local/bin/uavlink-companion"), "await": FakeTarget.answer(),
            "service": FakeTarget.answer("active"), "restart": FakeTarget.answer("active"),
        ]
        state.programs = ["stop": ProgramResult(status: 0, output: "stopping\n")]
        self.state = Mutex(state)
    }

    /// What a script prints that came to its end.
    static func answer(_ lines: String...) -> String {
        (["begin"] + lines + ["end"]).map { "uavlink \($0)\n" }.joined()
    }

    var asked: [String] { state.withLock { $0.asked } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// What was done that would have been undone, since the vehicle was still watched.
    var doneWhileWatching: [String] { state.withLock { $0.doneWhileWatching } }

    /// Whether a link that watches the vehicle is still open.
    var isWatching: Bool { state.withLock { $0.isWatching } }

    private func note(_ what: String) { state.withLock { $0.ask(what) } }

    func run(_ script: String, within timeout: Duration) async throws(DeploymentFailure) -> ProgramResult {
        let (name, detail) = Self.name(of: script)
        if let failure = state.withLock({ $0.failures[name] }) { throw failure }
        return state.withLock { state in
            state.ask(detail.isEmpty ? name : "\(name) \(detail)")
            guard name == "facts" else { return ProgramResult(status: 0, output: state.answers[name] ?? "") }
            return ProgramResult(status: 0, output: state.looks.count > 1 ? state.looks.removeFirst() : state.looks[0])
        }
    }

    private static func name(of script: String) -> (name: String, detail: String) {
        switch script {
        case FactsScript.text: return ("facts", "")
        case InstallScripts.prepare: return ("prepare", "")
        case InstallScripts.rollBack: return ("rollback", "")
        case ServiceScripts.restart: return ("restart", "")
        default: break
        }
        func value(_ variable: String) -> String? {
            let line = script.split(separator: "\n").first { $0.hasPrefix("\(variable)='") }
            return line.map { String($0.dropFirst(variable.count + 2).dropLast()) }
        }
        if let source = value("source") { return ("install", source) }
        if let process = value("process") { return ("await", process) }
        if let vehicle = value("vehicle"), script == RemoveScripts.remove(for: vehicle) { return ("remove", "") }
        return ("service", "")
    }

    func runAfterSetup(
        _ program: String, _ arguments: [String], within timeout: Duration
    ) async throws(DeploymentFailure) -> ProgramResult {
        let word = program == "/bin/sh" ? "variables" : arguments.last ?? ""
        return state.withLock { state in
            state.ask(program == "/bin/sh" ? word : "\(program) \(word)")
            if word == "status", !state.statuses.isEmpty { return state.statuses.removeFirst() }
            return state.programs[word] ?? ProgramResult(status: 127, output: "", errors: "not found")
        }
    }

    func upload(
        _ bytes: [UInt8], to path: String, progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeploymentFailure) {
        note("upload \(path)")
        progress(bytes.count / 2)
        if let failure = state.withLock({ $0.uploadFailure }) { throw failure }
        progress(bytes.count)
    }

    func flightCondition(hasCompanion: Bool, within timeout: Duration) async -> FlightCondition {
        state.withLock { state in
            state.ask(hasCompanion ? "flight of a companion" : "flight")
            state.isWatching = true
            return state.flight.count > 1 ? state.flight.removeFirst() : state.flight[0]
        }
    }

    func endWatching() async { state.withLock { $0.isWatching = false } }

    func proveChannel(within timeout: Duration) async throws(DeploymentFailure) -> ChannelProof {
        note("prove")
        return try state.withLock { $0.proof }.get()
    }
}

/// The answer of a vehicle's computer, with what a test changes.
struct SampleFacts {
    static let home = "/home/mrs"
    static let folder = home + "/.local/lib/uavlink"
    static let old = "companion-0.1.0-0123456789ab"
    static let older = "companion-0.0.9-ba9876543210"
    static let new = "companion-0.2.0-aaaaaaaaaaaa"

    var lines = [
        "system Linux", "machine x86_64", "kernel 5.4.0-150-generic", "libc glibc 2.31", "shell /bin/dash", "user mrs",
        "home \(SampleFacts.home)", "missing .local/bin", "missing .local/lib/uavlink", "free 1000000",
        "mount rw,relatime",
        "manager system", "setup /opt/ros/noetic/setup.bash",
    ]

    /// Puts lines in place of those that begin with the same word.
    func with(_ changes: String...) -> SampleFacts {
        var facts = self
        let names = changes.map { String($0.prefix { $0 != " " }) }
        facts.lines.removeAll { line in names.contains(String(line.prefix { $0 != " " })) }
        facts.lines += changes
        return facts
    }

    /// With a companion that was deployed, and one before it.
    var deployed: SampleFacts {
        with(
            "link \(Self.folder)/\(Self.old)", "previous \(Self.folder)/\(Self.older)", "stored \(Self.old)",
            "stored \(Self.older)", "found \(Self.home)/.local/bin/uavlink-companion",
            "version uavlink-companion 0.1.0")
    }

    /// With a companion for uav1 that runs.
    func running(
        _ program: String = "\(SampleFacts.folder)/\(SampleFacts.old)", owner: String = "own", unit: String = "-"
    ) -> SampleFacts {
        with("running 4711 \(owner) \(unit) uav1 \(program)")
    }

    var text: String { (["begin"] + lines + ["end"]).map { "uavlink \($0)\n" }.joined() }

    var facts: HostFacts? { HostFacts(ScriptAnswer(text)) }
}
