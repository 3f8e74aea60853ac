import Synchronization
import Testing
import UAVLink
import VehicleAccess

/// What a connector tells of its stages where no other machine is needed.
@Suite struct StageTests {
    private final class ProgressList: Sendable {
        private let all = Mutex<[ConnectProgress]>([])
        var reported: [ConnectProgress] { all.withLock { $0 } }
        func tell(_ one: ConnectProgress) { all.withLock { $0.append(one) } }
    }

    private func connector(_ change: (inout VehicleProfile) -> Void = { _ in }) -> VehicleConnector {
        var profile = VehicleProfile(name: "local")
        change(&profile)
        return VehicleConnector(
            profile: profile, credentials: Credentials(), environment: ["UAVLINK_RUNTIME_DIR": "/nonexistent/uavlink"])
    }

    @Test func `a simulator in this process needs none of the stages before ROS`() async throws {
        let progress = ProgressList()
        let link = try await connector().connect(.only(.sim), within: .seconds(5), onStep: { progress.tell($0) })
        await link.close()
        let why = "not needed over sim"
        #expect(
            progress.reported == [
                .skipped(.reach, why), .skipped(.hostKey, why), .skipped(.logIn, why), .trying(.sim),
                .skipped(.companion, why), .began(.ros), .done(.ros), .opened(.sim),
            ])
    }

    @Test func `what fails falls on the stage that was under way, and what would fail over TCP too is not tried again`()
        async
    {
        let progress = ProgressList()
        do throws(LinkError) {
            _ = try await connector().connect(.automatic, within: .seconds(5), onStep: { progress.tell($0) })
            Issue.record("there is no companion")
        } catch {
            let here = "on this machine"
            #expect(
                progress.reported == [
                    .skipped(.reach, here), .skipped(.hostKey, here), .skipped(.logIn, here),
                    .trying(.udp), .began(.companion), .failed(.companion, error), .abandoned(.udp, error),
                ])
        }
    }

    @Test func `a host that cannot be reached fails before any link is tried`() async {
        let progress = ProgressList()
        let connector = connector {
            $0.host = "no-such-host.invalid"
            $0.user = "nobody"
        }
        do throws(LinkError) {
            _ = try await connector.connect(.automatic, within: .seconds(5), onStep: { progress.tell($0) })
            Issue.record("there is no such host")
        } catch {
            #expect(progress.reported == [.began(.reach), .failed(.reach, error)])
        }
    }
}
