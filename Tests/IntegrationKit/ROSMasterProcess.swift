/// A real ROS master of a test's own, on a free loopback port, with a home of its own.
public final class ROSMasterProcess: Sendable {
    /// Where it is reached.
    public let uri: String
    /// Its port.
    public let port: UInt16
    /// What a ROS program needs in its environment to use this master.
    public let environment: [String: String]
    /// A folder for what the test needs, removed with the master.
    public let folder: TemporaryFolder
    private let process = Holder()
    private let kind: Kind

    /// Which program.
    public enum Kind: Sendable {
        /// The master alone: up within half a second.
        case rosmaster
        /// `roscore`: the master, `rosout` and the parameters that roslaunch sets.
        case roscore
    }

    private actor Holder {
        var running: ChildProcess?
        func take(_ process: ChildProcess?) { running = process }
    }

    /// Chooses a port and a folder; ``start()`` starts it.
    public init(_ kind: Kind = .rosmaster) throws {
        self.kind = kind
        port = try freePort()
        folder = try TemporaryFolder()
        uri = "http://127.0.0.1:\(port)"
        environment = [
            "ROS_MASTER_URI": uri, "ROS_IP": "127.0.0.1", "HOME": folder.path, "ROS_HOME": folder.path + "/.ros",
            "ROS_LOG_DIR": folder.path + "/log", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "PYTHONUNBUFFERED": "1",
            "ROS_ETC_DIR": "/etc/ros", "ROS_PACKAGE_PATH": "/usr/share", "LC_ALL": "C.UTF-8",
        ]
    }

    /// Starts it and returns when it answers.
    ///
    /// roscore gives its own master ten seconds to start and then ends, however busy the machine is: it is started again.
    public func start() async throws {
        for attempt in 1...5 {
            let command =
                kind == .roscore
                ? ["/usr/bin/roscore", "-p", "\(port)"]
                : ["/usr/bin/rosmaster", "--core", "-p", "\(port)"]
            let started = try ChildProcess(command, environment: environment)
            await process.take(started)
            let ready = kind == .roscore ? "/rosout" : "getPid"
            let probe = try ChildProcess(
                [Guardian.python, "-c", Self.probe, uri, ready, "\(50 * MachinePace.factor)"], environment: environment)
            _ = await eventually(within: .seconds(60)) { probe.exitStatus != nil || started.exitStatus != nil }
            if probe.exitStatus == 0, started.exitStatus == nil { return }
            let hasEnded = started.exitStatus != nil
            await probe.stop()
            let why = "\(started.exitStatus as Any): \(started.output) \(started.errors) \(probe.errors)"
            await stop()
            guard kind == .roscore, hasEnded, attempt < 5 else {
                throw ProcessFailure("no ROS master at \(uri): \(why)")
            }
            print("roscore ended while it started, once more: \(why)")
        }
    }

    /// Kills it where it stands, as a power cut would.
    public func kill() async {
        let running = await process.running
        running?.signal(9)
        await stop()
    }

    /// Ends it.
    public func stop() async {
        await process.running?.stop()
        await process.take(nil)
    }

    /// Starts a Python program that speaks to this master.
    public func python(_ program: String, _ arguments: [String] = []) throws -> ChildProcess {
        try ChildProcess([Guardian.python, "-c", program] + arguments, environment: environment)
    }

    /// Runs one of ROS's own tools to its end: `rosservice`, `rostopic`, `rosparam`, `rosnode`.
    public func tool(_ arguments: String..., within timeout: Duration = .seconds(60)) async throws -> (
        status: Int32, output: String, errors: String
    ) {
        let child = try ChildProcess(
            ["/usr/bin/" + (arguments.first ?? "")] + arguments.dropFirst(), environment: environment)
        let status = try await child.exit(within: timeout)
        return (status, child.output, child.errors)
    }

    private static let probe = """
        import sys, time, xmlrpc.client
        until = time.monotonic() + float(sys.argv[3])
        while time.monotonic() < until:
            try:
                master = xmlrpc.client.ServerProxy(sys.argv[1])
                if sys.argv[2] == 'getPid':
                    code = master.getPid('/probe')[0]
                else:
                    code = master.lookupNode('/probe', sys.argv[2])[0]
                if code == 1:
                    sys.exit(0)
            except OSError:
                pass
            time.sleep(0.03)
        sys.exit(1)
        """
}

/// Runs `body` with a real ROS master and ends the master whatever `body` does.
public func withROSMaster<Result: Sendable>(
    _ kind: ROSMasterProcess.Kind = .rosmaster, _ body: (ROSMasterProcess) async throws -> Result
) async throws -> Result {
    let master = try ROSMasterProcess(kind)
    do {
        try await master.start()
        let result = try await body(master)
        await master.stop()
        return result
    } catch {
        await master.stop()
        throw error
    }
}
