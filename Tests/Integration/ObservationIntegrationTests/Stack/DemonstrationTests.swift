import Foundation
import IntegrationKit
import Testing

/// The one command with which a newcomer begins.
@Suite(
    .serialized, .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .timeLimit(.minutes(MachinePace.minutes(6))))
struct DemonstrationTests {
    @Test func `the demonstration flies over three links and leaves nothing behind`() async throws {
        let folder = try TemporaryFolder()
        let programs = try #require(BuiltPrograms.programs)
        let demonstration = try ChildProcess(
            [
                "/usr/bin/python3", "-c", Self.remaining + Self.mission, BuiltPrograms.repository + "/scripts/demo",
                folder.path, programs, "\(MachinePace.factor)",
            ],
            environment: ChildProcess.ownEnvironment)
        let watch = SchedulingWatch()
        let begun = SchedulingWatch.now
        let watching = Task {
            while !Task.isCancelled {
                for process in ProcessHoldings.descendants() where Self.flies(process) { watch.add(process) }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        let status = try await demonstration.exit(within: .seconds(330))
        watching.cancel()
        watch.stop()
        let lines = demonstration.output.split(separator: "\n").map(String.init)
        let left = lines.filter { $0.hasPrefix("left ") }
        #expect(left.isEmpty, "\(left)")
        let last = try #require(lines.last { !$0.hasPrefix("left ") })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        let links = try #require(object["links"] as? [[String: Any]])
        #expect(links.map { $0["link"] as? String } == ["ssh", "tcp", "udp"])
        for link in links {
            #expect(link["took_off"] as? Bool == true && link["landed"] as? Bool == true, "\(link)")
            #expect(((link["command_ms_median"] as? Double) ?? 0) > 0, "\(link)")
        }
        // A pilot who is kept from the processor for as long as the lease lasts loses control authority: so it must be.
        withKnownIssue("the machine kept the processes waiting", isIntermittent: true) {
            #expect(status == 0, "\(demonstration.output) \(demonstration.errors)")
            #expect(object["ok"] as? Bool == true, "\(last)")
            for link in links {
                // Over SSH one call may last as long as the whole steering, so that none is answered in its time: what it did
                // is seen of the vehicle.
                let flown = link["link"] as? String == "ssh" ? "steered_m" : "steering_hz"
                #expect(((link[flown] as? Double) ?? 0) > 0, "\(link)")
            }
        } matching: { issue in
            let longest = watch.longestWait(from: begun, to: SchedulingWatch.now)
            guard longest > Self.starvedNanoseconds else { return false }
            print("demonstration: NOT JUDGED on this machine: \(issue); a process waited \(longest) ns")
            return true
        }
    }

    /// Whether it is one of the programs between the pilot and the vehicle. To watch the threads of all others as well would
    /// itself keep the machine busy.
    private static func flies(_ process: Int32) -> Bool {
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name?.hasPrefix("uavlink") == true
    }

    /// The same as where the real flight stack is flown: half of the lease, the other half is the link's.
    private static let starvedNanoseconds: Int64 = 100_000_000

    @Test func `a terminal that closes while the demonstration ends does not keep it from ending`() async throws {
        let folder = try TemporaryFolder()
        let demonstration = try ChildProcess(
            [
                "/usr/bin/python3", "-c", Self.remaining + Self.closedTerminal,
                BuiltPrograms.repository + "/scripts/demo", folder.path, "\(MachinePace.factor)",
            ],
            environment: ChildProcess.ownEnvironment)
        let status = try await demonstration.exit(within: .seconds(180))
        #expect(status == 0, "\(demonstration.output) \(demonstration.errors)")
        let left = demonstration.output.split(separator: "\n").filter { $0.hasPrefix("left ") }
        #expect(left.isEmpty, "\(left)")
    }

    /// Tells of the files and the processes that the demonstration left. The processes are known by the folder's name in
    /// their arguments or environment.
    private static let remaining = #"""
        import os, pty, select, subprocess, sys, time
        def processes(folder):
            found = []
            for entry in os.listdir('/proc'):
                if entry.isdigit() and int(entry) not in (os.getpid(), os.getppid()):
                    try:
                        words = open('/proc/%s/cmdline' % entry, 'rb').read()
                        if folder.encode() in words + open('/proc/%s/environ' % entry, 'rb').read():
                            found.append(words.replace(b'\0', b' ').decode(errors='replace'))
                    except OSError:
                        pass
            return found
        def tell_remaining(folder, pace):
            until = time.monotonic() + 20 * float(pace)
            while processes(folder) and time.monotonic() < until:
                time.sleep(0.1)
            for what in processes(folder) + os.listdir(folder):
                print('left ' + what, flush=True)

        """#

    /// Runs the demonstration with a folder for its files.
    private static let mission = #"""
        script, folder, programs, pace = sys.argv[1:]
        status = subprocess.call(
            [script, '--json', '--debug', '--no-setup', '--programs', programs], stdin=subprocess.DEVNULL,
            env=dict(os.environ, TMPDIR=folder))
        tell_remaining(folder, pace)
        sys.exit(status)
        """#

    /// Runs it on a terminal, with a front end that is left at once and a companion that ends only when the terminal has
    /// closed.
    private static let closedTerminal = #"""
        script, folder, pace = sys.argv[1:]
        programs, place = folder + '/programs', folder + '/place'
        os.mkdir(programs)
        os.mkdir(place)
        def program(name, *lines):
            with open(programs + '/' + name, 'w') as file:
                file.write('\n'.join(lines) + '\n')
            os.chmod(programs + '/' + name, 0o755)
        program('uavlink', '#!/bin/sh', 'exit 0')
        program(
            'uavlink-companion', '#!/bin/sh', 'touch %s/ending' % folder,
            'until [ -e %s/closed ]; do sleep 0.05; done' % folder)
        program(
            'uavlink-sim', '#!/usr/bin/python3', 'import signal, time', 'signal.signal(signal.SIGINT, signal.SIG_DFL)',
            'print("ready", flush=True)', 'time.sleep(1000)')
        child, terminal = pty.fork()
        if child == 0:
            os.execve(
                script, [script, '--no-setup', '--programs', programs], dict(os.environ, TMPDIR=place, TERM='xterm'))
        until, shown = time.monotonic() + 120 * float(pace), b''
        while not os.path.exists(folder + '/ending'):
            if time.monotonic() > until:
                sys.exit('it did not come to its end: %r' % shown)
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    shown += os.read(terminal, 4096)
                except OSError:
                    sys.exit('it closed its terminal: %r' % shown)
        # The system sends the hang-up before this returns.
        os.close(terminal)
        open(folder + '/closed', 'w').close()
        status = os.waitpid(child, 0)[1]
        tell_remaining(place, pace)
        if status != 0:
            sys.exit('it ended with the status %d of wait(2)' % status)
        """#
}
