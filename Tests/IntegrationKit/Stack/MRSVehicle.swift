internal import Foundation

/// The MRS group's flight stack with its own simulator of a multirotor: the real one, as it flies on vehicles.
///
/// It lies beside the project, as a peer of the tests and never as a part of it: where the folder is missing, what needs it is
/// skipped and says so.
public final class MRSVehicle: Sendable {
    private static let archive = SharedFiles.path("stack/mrs_ros1.tar.xz")

    /// Why it cannot run on this machine; `nil` when it can.
    public static let missing: String? = {
        guard FileManager.default.fileExists(atPath: archive) else {
            return "the real flight stack is not beside the project (../shared/stack)"
        }
        #if !(os(Linux) && arch(x86_64))
            return "the real flight stack is compiled for Linux on x86-64"
        #else
            return FileManager.default.isExecutableFile(atPath: "/usr/bin/roslaunch")
                ? nil : "the real flight stack needs roslaunch"
        #endif
    }()

    private let folder: TemporaryFolder
    private let hasRadio: Bool
    private let running = Running()

    private actor Running {
        var isUnpacked = false
        var process: ChildProcess?
        /// What its world file is to say; `nil`: what it says by itself.
        var world: String?
        var pilot: SafetyPilot?
        func noteUnpacked() { isUnpacked = true }
        func take(world: String) { self.world = world }
        func take(_ process: ChildProcess?) { self.process = process }
        func take(pilot: SafetyPilot?) { self.pilot = pilot }
    }

    /// Chooses a folder; ``start(environment:)`` unpacks it there.
    ///
    /// - Parameter hasRadio: whether a ``SafetyPilot`` watches it.
    public init(hasRadio: Bool) throws {
        folder = try TemporaryFolder()
        self.hasRadio = hasRadio
    }

    private var home: String { folder.path + "/mrs_stack" }

    /// The file that its parameter `control_manager/world_config` names.
    var worldFile: String { home + "/config/world_config.yaml" }

    /// Has it start with another world from now on.
    func setWorld(_ text: String) async { await running.take(world: text) }

    /// What a ROS program needs in its environment besides the master to know the stack's types.
    public var variables: [String: String] {
        ["PYTHONPATH": home + "/lib/python3/dist-packages", "ROS_PACKAGE_PATH": home + "/src:/usr/share"]
    }

    /// Starts it under a master that runs; returns when the vehicle is ready.
    ///
    /// - Parameter environment: that of programs under the master.
    public func start(environment: [String: String]) async throws {
        if await !running.isUnpacked {
            let unpacking = try ChildProcess(["/usr/bin/tar", "-xJf", Self.archive, "-C", folder.path])
            guard try await unpacking.exit(within: .seconds(120)) == 0 else { throw ProcessFailure(unpacking.errors) }
            if hasRadio {
                let launch = home + SafetyPilot.launchFile
                let text = try SafetyPilot.passingStatus(String(contentsOfFile: launch, encoding: .utf8))
                try text.write(toFile: launch, atomically: true, encoding: .utf8)
            }
            await running.noteUnpacked()
        }
        if let world = await running.world {
            try world.write(toFile: worldFile, atomically: true, encoding: .utf8)
        }
        if hasRadio, await running.pilot == nil {
            // First: the vehicle is not ready without its status.
            let pilot = try SafetyPilot(environment: environment)
            await running.take(pilot: pilot)
            try await pilot.ready()
        }
        let patience = ["READY_TIMEOUT": "\(Int(120 * MachinePace.factor))"]
        for attempt in 1...5 {
            let process = try ChildProcess(
                ["/bin/bash", "-c", Self.program, home], environment: environment.merging(patience) { _, new in new })
            await running.take(process)
            do {
                // Not only "up": the stack's own programs write to the same output.
                try await process.line(containing: "the vehicle is up", within: .seconds(150))
                return
            } catch {
                await stopStack()
                guard process.exitStatus == Self.endedEarly, attempt < 5 else {
                    throw ProcessFailure("\(error)\n\(logs())")
                }
                print("real flight stack: started again, \(process.output.split(separator: "\n").last ?? "")")
            }
        }
    }

    /// Who watches it with a radio; `nil` where nobody does, or it does not run.
    var pilot: SafetyPilot? { get async { await running.pilot } }

    /// Whether it was started, and not stopped since.
    var isRunning: Bool { get async { await running.process != nil } }

    /// How ``program`` ends when a program of the stack ended while it started.
    private static let endedEarly: Int32 = 3

    /// What `start.sh` waits for comes before the two managers, without which the vehicle refuses to take off.
    ///
    /// roslaunch gives its own server five seconds to answer, and the master one call, however busy the machine is; then it ends, and
    /// `start.sh` waits in vain.
    private static let program = """
        cd "$0" && rm -f run/pids || exit 1
        ./start.sh & start=$!
        while kill -0 $start 2>/dev/null; do
            while read -r pid name _; do
                kill -0 "$pid" 2>/dev/null && continue
                echo "$name ended early: $(tail -n 3 "logs/$name.log" | tr '\\n' ' ')"
                exit \(endedEarly)
            done 2>/dev/null <run/pids
            sleep 0.2
        done
        wait $start && . ./setup.sh || exit 1
        for manager in constraint_manager gain_manager; do
            timeout "$READY_TIMEOUT" rostopic echo -n 1 "/uav1/$manager/diagnostics" >/dev/null || exit 1
        done
        echo the vehicle is up
        exec sleep infinity
        """

    /// What its nodes have said, the newest last: for the message of a test that failed.
    func logs() -> String {
        let folder = home + "/logs"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".log")
        }
        return names.sorted().map { name in
            let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
            return "--- \(name)\n" + text.suffix(6000)
        }.joined(separator: "\n")
    }

    /// What its nodes have warned of since they were started, the newest last: why a flight went wrong, in the stack's own words.
    func warnings() -> String {
        let text = (try? String(contentsOfFile: home + "/logs/core.log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter {
            $0.contains("[ WARN]") || $0.contains("[ERROR]") || $0.contains("[FATAL]")
        }
        .suffix(80).joined(separator: "\n")
    }

    /// How long its threads have waited for a processor so far.
    func waits() -> VehicleWaits {
        // Each line is of a program that `start.sh` started: its process, its name, when it was started.
        let lines = (try? String(contentsOfFile: home + "/run/pids", encoding: .utf8)) ?? ""
        return VehicleWaits(
            of: lines.split(separator: "\n").compactMap { $0.split(separator: " ").first.flatMap { Int32($0) } })
    }

    /// Ends it and all its nodes, and its pilot.
    public func stop() async {
        await stopStack()
        await running.pilot?.stop()
        await running.take(pilot: nil)
    }

    private func stopStack() async {
        await running.process?.stop()
        await running.take(nil)
    }
}
