import Testing
import UAVLink

@testable import VehicleAccess

/// Which link is chosen of those that may be tried, and when a companion is not gone around.
@Suite struct LinkSearchTests {
    /// Opens SSH only; the others fail so.
    private static func search(
        _ failure: LinkError, afterTicket: Bool = false, kinds: [LinkKind] = [.udp, .tcp, .ssh]
    ) async throws(LinkError) -> (LinkKind, LinkFallback?) {
        try await LinkSearch.first(of: kinds) { (kind, _) async throws(LinkFailure) in
            guard kind == .ssh else { throw LinkFailure(kind, failure, hadTicket: afterTicket) }
            return kind
        } abandon: { (_, _) async throws(LinkError) in
        }
    }

    @Test(
        "a companion that is there is not gone around",
        arguments: [
            LinkError.Code.companionUnavailable, .versionMismatch, .protocolViolation,
        ])
    func inTheWay(_ code: LinkError.Code) async throws {
        do throws(LinkError) {
            let opened = try await Self.search(LinkError(code, "it does not answer", hint: "look at it"))
            Issue.record("\(opened)")
        } catch {
            #expect(error.code == code && error.what == "it does not answer")
            // Only one that has answered is known to run.
            let isRunning = [.versionMismatch, .protocolViolation].contains(code)
            let advice = isRunning ? "use the running companion, or end it; " : ""
            #expect(error.hint == "look at it; \(advice)'--link ssh' bypasses it, without control authority")
        }
    }

    @Test(
        "where SSH itself failed, what is run over SSH is not recommended",
        arguments: [LinkError.Code.timedOut, .unreachable, .notConnected, .closed])
    func withoutSSH(_ code: LinkError.Code) async throws {
        let lost = LinkError(code, "the SSH connection to hexa1 was lost", hint: "is the vehicle on?")
        await #expect(throws: lost) { try await Self.search(lost) }
    }

    @Test(
        "nor one that gave a ticket and then refuses",
        arguments: [LinkError.Code.companionUnavailable, .versionMismatch, .protocolViolation])
    func refuses(_ code: LinkError.Code) async throws {
        await #expect(throws: LinkError.self) { try await Self.search(LinkError(code, "no"), afterTicket: true) }
    }

    @Test func `where none can be had it is SSH, with a warning`() async throws {
        let (kind, fallback) = try await Self.search(LinkError(.companionMissing, "no such file"))
        #expect(kind == .ssh)
        #expect(fallback?.warning == "no control authority over ssh (udp and tcp: no such file)")
    }

    @Test(arguments: [true, false]) func `that the named companion is not there comes before what other links lack`(
        isNamed: Bool
    ) async {
        do throws(LinkError) {
            _ = try await LinkSearch.first(of: [.udp, .tcp, .ssh], namesCompanion: isNamed) {
                (kind, _) async throws(LinkFailure) -> LinkKind in
                let error =
                    kind == .ssh
                    ? LinkError(.rosMasterUnreachable, "no ROS master", hint: "start roscore")
                    : LinkError(.companionMissing, "no such file", hint: "correct its path")
                throw LinkFailure(kind, error, hadTicket: false)
            } abandon: { (_, _) async throws(LinkError) in
            }
            Issue.record("a link was opened")
        } catch {
            #expect(error.code == (isNamed ? .companionMissing : .rosMasterUnreachable))
            #expect(error.what.hasPrefix(isNamed ? "no such file (over udp; ssh: no ROS" : "no ROS master"))
            #expect(error.hint.hasPrefix(isNamed ? "correct its path" : "start roscore"))
        }
    }

    @Test(
        "a companion that cannot be had is asked for once, not once for each of its links",
        arguments: [
            (LinkError.Code.companionMissing, false, [LinkKind.udp, .ssh]), (.companionUnavailable, false, [.udp]),
            (.companionUnavailable, true, [.udp, .tcp]), (.timedOut, false, [.udp, .tcp]),
        ])
    func askedOnce(_ code: LinkError.Code, afterTicket: Bool, _ expected: [LinkKind]) async {
        var tried: [LinkKind] = []
        _ = try? await LinkSearch.first(of: [.udp, .tcp, .ssh]) { (kind, _) async throws(LinkFailure) in
            tried.append(kind)
            throw LinkFailure(kind, LinkError(code, "no"), hadTicket: afterTicket)
        } abandon: { (_, _) async throws(LinkError) in
        }
        #expect(tried == expected)
    }

    @Test(
        "a companion whose channel the network does not let through is gone around, and that is said",
        arguments: [LinkError.Code.unreachable, .timedOut, .unsupported])
    func blocked(_ code: LinkError.Code) async throws {
        let (kind, fallback) = try await Self.search(LinkError(code, "no answer"), afterTicket: true)
        #expect(kind == .ssh)
        #expect(fallback?.bypassesCompanion == true)
        #expect(fallback?.warning.contains("bypasses the running companion") == true)
    }

    @Test func `one failure that a companion explains is enough`() async throws {
        do throws(LinkError) {
            let opened = try await LinkSearch.first(of: [.udp, .tcp, .ssh]) {
                (kind, _) async throws(LinkFailure) -> LinkKind in
                switch kind {
                case .udp: throw LinkFailure(kind, LinkError(.timedOut, "stopped"), hadTicket: false)
                case .tcp: throw LinkFailure(kind, LinkError(.unreachable, "blocked"), hadTicket: true)
                default: return kind
                }
            } abandon: { (_, _) async throws(LinkError) in
            }
            Issue.record("\(opened)")
        } catch {
            #expect(error.what == "stopped (over udp; tcp: blocked)")
        }
    }

    @Test func `a link that was asked for by name, or another of the companion's, warns of nothing`() async throws {
        #expect(try await Self.search(LinkError(.internalFault, ""), kinds: [.ssh]).1 == nil)
        let (kind, fallback) = try await LinkSearch.first(of: [.udp, .tcp, .ssh]) {
            (kind, _) async throws(LinkFailure) -> LinkKind in
            guard kind == .tcp else { throw LinkFailure(kind, LinkError(.unreachable, "blocked"), hadTicket: true) }
            return kind
        } abandon: { (_, _) async throws(LinkError) in
        }
        #expect(kind == .tcp && fallback == nil)
    }

    @Test func `where SSH fails too, the error says which link that was and why no other was used`() async throws {
        let missing = LinkError(.companionMissing, "'c' is not installed", hint: "install it there")
        do throws(LinkError) {
            let opened = try await LinkSearch.first(of: [.udp, .tcp, .ssh]) {
                (kind, _) async throws(LinkFailure) -> LinkKind in
                let master = LinkError(.rosMasterUnreachable, "no ROS master", hint: "is roscore running there?")
                throw LinkFailure(kind, kind == .ssh ? master : missing, hadTicket: false)
            } abandon: { (_, _) async throws(LinkError) in
            }
            Issue.record("\(opened)")
        } catch {
            #expect(error.code == .rosMasterUnreachable)
            #expect(error.what == "no ROS master (over ssh; udp and tcp: 'c' is not installed)")
            #expect(error.hint == "is roscore running there?; udp and tcp: install it there")
        }
    }

    @Test func `links that fail in the same way need one sentence`() async throws {
        let silent = LinkError(.timedOut, "no answer")
        await #expect(throws: silent) {
            try await LinkSearch.first(of: [.udp, .tcp]) { (kind, _) async throws(LinkFailure) -> LinkKind in
                throw LinkFailure(kind, silent, hadTicket: false)
            } abandon: { (_, _) async throws(LinkError) in
            }
        }
    }

    @Test func `a set-up that failed says itself what to do`() async throws {
        let failure = LinkError(.remoteFailed, "the set-up failed", hint: "fix it")
        await #expect(throws: failure) { try await Self.search(failure) }
    }
}
