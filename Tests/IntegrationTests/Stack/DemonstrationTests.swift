import Foundation
import IntegrationKit
import Testing

/// The one command with which a newcomer begins.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"),
    .timeLimit(.minutes(MachinePace.minutes(6))))
struct DemonstrationTests {
    @Test func `the demonstration flies over three links and leaves nothing behind`() async throws {
        let folder = try TemporaryFolder()
        let programs = try #require(BuiltPrograms.folder)
        let demonstration = try ChildProcess(
            [
                "/usr/bin/python3", "-c", Self.program, BuiltPrograms.repository + "/scripts/demo", folder.path,
                programs,
            ],
            environment: ChildProcess.ownEnvironment)
        let status = try await demonstration.exit(within: .seconds(330))
        let lines = demonstration.output.split(separator: "\n").map(String.init)
        #expect(status == 0, "\(demonstration.output) \(demonstration.errors)")
        let left = lines.filter { $0.hasPrefix("left ") }
        #expect(left.isEmpty, "\(left)")
        let last = try #require(lines.last { !$0.hasPrefix("left ") })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(object["ok"] as? Bool == true, "\(last)")
        let links = try #require(object["links"] as? [[String: Any]])
        #expect(links.map { $0["link"] as? String } == ["ssh", "tcp", "udp"])
        for link in links {
            #expect(link["took_off"] as? Bool == true && link["landed"] as? Bool == true, "\(link)")
            #expect(((link["command_ms_median"] as? Double) ?? 0) > 0, "\(link)")
            #expect(((link["steering_hz"] as? Double) ?? 0) > 0, "\(link)")
        }
    }

    /// Runs the demonstration with a folder for its files, and tells of the files and the processes that it left. The
    /// processes are known by the folder's name in their arguments or environment.
    private static let program = #"""
        import os, subprocess, sys, time
        script, folder, programs = sys.argv[1:]
        status = subprocess.call(
            [script, '--json', '--debug', '--no-setup', '--programs', programs], stdin=subprocess.DEVNULL,
            env=dict(os.environ, TMPDIR=folder))
        def remaining():
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
        until = time.monotonic() + 3
        while remaining() and time.monotonic() < until:
            time.sleep(0.1)
        for what in remaining() + os.listdir(folder):
            print('left ' + what, flush=True)
        sys.exit(status)
        """#
}
