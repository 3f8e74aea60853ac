import CompanionControl
import Secrets
import Testing
import UAVLink

@testable import VehicleAccess

/// What a bootstrap that gave no ticket tells of the companion.
@Suite struct BootstrapFailureTests {
    private var bootstrap: CompanionBootstrap {
        let profile = VehicleProfile(name: "hexa1")
        let session = SharedSession(profile: profile, credentials: Credentials(), environment: [:])
        return CompanionBootstrap(profile: profile, environment: [:], session: session)
    }

    private func code(_ status: Int?, _ errors: String) -> LinkError.Code { bootstrap.failure(status, errors).code }

    @Test(
        "a program that never ran says that there is none",
        arguments: [
            (127, "bash: line 3: /opt/uavlink-companion: No such file or directory"),
            (126, "bash: line 3: /opt/uavlink-companion: Permission denied"),
            (126, "bash: line 3: /opt/uavlink-companion: cannot execute binary file: Exec format error"),
            (127, "/opt/uavlink-companion: error while loading shared libraries: libsodium.so.23: cannot open"),
            (
                1,
                "/opt/uavlink-companion: libc.so.6: version `GLIBC_2.38' not found (required by /opt/uavlink-companion)"
            ),
        ])
    func missing(_ status: Int, _ errors: String) {
        #expect(code(status, errors) == .companionMissing)
    }

    @Test(
        "whatever else happens, there may be one",
        arguments: [
            (3, "uavlink-companion: the companion ended at once: another companion for uav1 runs on this host"),
            (3, "uavlink-companion: the companion at /run/uavlink/uav1.sock does not answer"),
            (127, "uavlink-companion: the companion ended at once: sh: no such file"),
            (70, "uavlink-companion: x"), (1, "no disk left"), (2, ""), (nil, ""),
        ] as [(Int?, String)])
    func unavailable(_ status: Int?, _ errors: String) {
        #expect(code(status, errors) == .companionUnavailable)
    }

    @Test func `a program that prints nothing is reported by how it ended`() {
        let silent = bootstrap.failure(3, "")
        #expect(
            silent.what
                == "the companion could not be started on the vehicle: it ended with exit status 3 and printed nothing")
        #expect(silent.hint == "try it on the vehicle: uavlink-companion bootstrap --uav uav1")
        #expect(bootstrap.failure(nil, "").what.hasSuffix(": a signal ended it and printed nothing"))
        #expect(bootstrap.failure(3, "", output: SecretBytes("wrong ABI\n")).what.hasSuffix(": wrong ABI"))
    }

    /// As where a log-out script fails after the program.
    @Test(arguments: ["uavlink-channel 1 session=1 key=0a0b", "hello\nuavlink-channel 9 key=0a0b\nbye"])
    func `a ticket in the output of a program that failed is not shown`(output: String) {
        let failure = bootstrap.failure(1, "", output: SecretBytes(output))
        #expect(failure.what.hasSuffix(": it ended with exit status 1 and printed nothing"), "\(failure)")
        #expect(!failure.description.contains("0a0b"))
    }

    @Test func `a file that is there is not reported as missing`() {
        let locked = bootstrap.failure(126, "sh: 3: /opt/c: Permission denied")
        #expect(locked.what == "'uavlink-companion' cannot run on the vehicle: sh: 3: /opt/c: Permission denied")
        #expect(locked.hint.hasPrefix("make it executable"))
        let absent = bootstrap.failure(127, "sh: 3: /opt/c: not found")
        #expect(absent.what == "'uavlink-companion' is not installed on the vehicle: sh: 3: /opt/c: not found")
        for program in [
            bootstrap.failure(127, "/opt/c: error while loading shared libraries: libsodium.so.23"),
            bootstrap.failure(1, "/opt/c: libc.so.6: version `GLIBC_2.38' not found (required by /opt/c)"),
        ] {
            #expect(program.what.contains("cannot run"), "\(program)")
        }
    }

    @Test func `the doctor takes a version only from a program that ran`() throws {
        #expect(try RemoteInspection.version(of: "c", 0, output: "uavlink-companion 1.2\n", errors: "") == "1.2")
        for (status, errors, code) in [
            (3, "", .companionUnavailable), (0, "", .companionUnavailable),
            (127, "sh: c: not found", .companionMissing),
        ] as [(Int, String, LinkError.Code)] {
            do throws(LinkError) {
                let version = try RemoteInspection.version(of: "c", status, output: "", errors: errors)
                Issue.record("\(version)")
            } catch {
                #expect(error.code == code)
                #expect(!error.description.contains("doctor"))
            }
        }
        let watching = SSHTopicWatch.failure(126, "sh: c: Permission denied", VehicleProfile(name: "hexa1"))
        #expect(watching.what.contains("cannot run on the vehicle"), "\(watching)")
    }

    @Test func `the doctor takes no garbage for a version, and no greeting`() throws {
        let greeted = "Welcome to 22.04\nuavlink-companion 1.2\nbye 3\n"
        #expect(try RemoteInspection.version(of: "c", 0, output: greeted, errors: "") == "1.2")
        for output in ["\u{1}\u{7f}x \u{fffd}", "hello\n", "uavlink-companion what\n"] {
            let error = #expect(throws: LinkError.self) {
                try RemoteInspection.version(of: "c", 0, output: output, errors: "")
            }
            #expect(error?.what == "'c --version' printed no version on the vehicle: it is no companion")
        }
    }

    @Test func `of too much output is said whose it is`() {
        let companion = bootstrap.tooMuchOutput(ofShell: 300)
        #expect(companion.code == .companionUnavailable)
        #expect(
            companion.what == "the companion 'uavlink-companion' printed more than 64 kB instead of a ticket, "
                + "so that neither udp nor tcp can be opened")
        #expect(companion.hint == "try it on the vehicle: uavlink-companion bootstrap --uav uav1")
        let shell = bootstrap.tooMuchOutput(ofShell: 200_000)
        #expect(shell.what.hasPrefix("the log-in shell on the vehicle prints 200000 bytes before each command, so"))
        #expect(shell.hint.contains("~/.bashrc"))
    }

    @Test func `only a companion that is known to run is recommended`() {
        let broken = bootstrap.failure(3, "")
        #expect(bootstrap.besideRunning(broken).hint == "use the running companion, or end it")
        #expect(bootstrap.besideRunning(broken).code == .companionUnavailable)
        let absent = bootstrap.besideRunning(bootstrap.failure(127, "sh: c: not found"))
        #expect(absent.code == .companionUnavailable)
        #expect(absent.what.hasPrefix("a companion for uav1 runs on the vehicle, but "), "\(absent)")
    }

    @Test func `of one that hangs is said that neither of its links opens, and which one is left`() async {
        let hanging = CompanionProgram.unanswered("/opt/c", within: .seconds(4))
        #expect(
            hanging.what
                == "the companion '/opt/c' did not answer within 4 s, so that neither udp nor tcp can be opened")
        let timeouts: [(Duration, String)] = [(.milliseconds(2998), "3 s"), (.milliseconds(500), "0.5 s")]
        for (given, words) in timeouts {
            #expect(CompanionProgram.unanswered("c", within: given).what.contains("within \(words), "))
        }
        var tried: [LinkKind] = []
        do throws(LinkError) {
            _ = try await LinkSearch.first(of: [.udp, .tcp, .ssh]) {
                (kind, _) async throws(LinkFailure) -> LinkKind in
                tried.append(kind)
                throw LinkFailure(kind, hanging, hadTicket: false)
            } abandon: { (_, _) async throws(LinkError) in
            }
            Issue.record("a link was opened")
        } catch {
            #expect(error.what == hanging.what)
            #expect(error.hint == hanging.hint + "; '--link ssh' bypasses it, without control authority")
        }
        #expect(tried == [.udp])
    }

    @Test func `a companion that runs is found by its lock, in any ROS graph`() {
        let name = HostLock.Name(vehicle: "uav1", graph: "http://10.0.0.1:11311/").description
        let listing = "0000000000000000: 00000002 00000000 00010000 0001 01 35361 \(name)\n"
        #expect(CompanionBootstrap.hasCompanion(for: "uav1", among: listing))
        #expect(!CompanionBootstrap.hasCompanion(for: "uav11", among: listing))
        #expect(!CompanionBootstrap.hasCompanion(for: "uav1", among: ""))
    }
}
