#if os(Linux)
    import FlightTestKit
    import Foundation
    import IntegrationKit
    import Testing

    /// A Debian 11 with its own sshd and ROS 1, with nothing of Swift or of uavlink, and a user whose log-in shell is dash.
    @Suite(
        "A vehicle that never saw Swift", .enabled(if: VehicleRoot.missing == nil, "\(VehicleRoot.missing ?? "")"),
        .serialized, .timeLimit(.minutes(MachinePace.minutes(10))))
    struct DeployedVehicleTests {
        @Test func `the companion is deployed, flies over each link, goes back to the one before and is removed`()
            async throws
        {
            try await RootedVehicle.with { vehicle in
                #expect(try await vehicle.run("/usr/bin/find", "/usr", "/opt", "-name", "libswift*") == "")
                #expect(try await vehicle.run("/usr/bin/ldd", "--version").contains("2.31"))
                let before = try vehicle.homeListing()
                // Its user has a shell without 'source', and the ground knows nothing of the workspace.
                let first = try await vehicle.deploy("--program", try vehicle.companion("first"))
                #expect(first["ok"] as? Bool == true && first["link"] as? String == "udp", "\(first)")
                #expect(first["libc"] as? String == "glibc 2.31" && first["shell"] as? String == "/bin/dash")
                #expect((first["round_trip_ms"] as? Double ?? 0) > 0, "\(first)")
                expectKnownToStand(first)
                let name = try #require(first["name"] as? String)
                #expect(try await vehicle.companions().allSatisfy { $0.contains("/.local/lib/uavlink/\(name) ") })
                for link in ["udp", "tcp", "ssh", "ssh-shell"] { try await fly(vehicle, over: link) }
                try await goBackAndRemove(vehicle, to: name, before)
            }
        }

        /// Takes off and lands; what flies is asked of the vehicle's own programs, too.
        private func fly(_ vehicle: RootedVehicle, over link: String) async throws {
            let up = try await vehicle.uavlink("takeoff", "--arm", "--wait", "--link", link)
            #expect(up.status == 0 && up.output.contains("flying at"), "\(link): \(up)")
            let diagnostics = try await vehicle.run(
                "/bin/sh", "-c",
                ". ~/workspace/devel/setup.sh; rostopic echo -n 1 /uav1/control_manager/diagnostics")
            #expect(diagnostics.contains("flying_normally: True"), "\(link): \(diagnostics)")
            if link == "udp" {
                let steered = try await vehicle.uavlink("steer", "--vx", "0.5", "--for", "1s", "--link", link)
                #expect(steered.status == 0, "\(steered)")
            }
            if link == "tcp" { try await hoverOverShell(vehicle) }
            if link == "ssh-shell" {
                // With its heading: on a busy machine a shell tells that of the vehicle too late.
                let gone = try await vehicle.uavlink("goto", "1", "0", "2.5", "0", "--wait", "--link", link)
                #expect(gone.status == 0, "\(gone)")
            }
            let down = try await vehicle.uavlink("land", "--wait", "--link", link)
            #expect(down.status == 0 && down.output.contains("landed at"), "\(link): \(down)")
        }

        /// Commands in one warm shell of an SSH session.
        private func hoverOverShell(_ vehicle: RootedVehicle) async throws {
            let outcome = try await vehicle.uavlink(
                "latency", "--links", "ssh-shell", "--for", "\(Int(5 * MachinePace.factor))s", "--quiet", "--json")
            let links = try #require(try json(outcome)["links"] as? [[String: Any]], "\(outcome)")
            let shell = try #require(links.first, "\(outcome)")
            #expect(shell["link"] as? String == "ssh-shell" && shell["failure"] is NSNull, "\(outcome)")
            #expect((shell["command"] as? [String: Any])?["count"] as? Int ?? 0 > 0, "\(outcome)")
        }

        private func goBackAndRemove(_ vehicle: RootedVehicle, to name: String, _ before: [String]) async throws {
            let second = try await vehicle.deploy("--program", try vehicle.companion("second"))
            #expect(second["previous"] as? String == name && second["restarted"] as? Bool == true, "\(second)")
            let back = try await vehicle.deploy("--rollback")
            #expect(back["name"] as? String == name && back["previous"] as? String == second["name"] as? String)
            #expect(back["link"] as? String == "udp", "\(back)")
            let running = try await vehicle.companions()
            #expect(running.count == 1 && running.allSatisfy { $0.contains("/\(name) ") }, "\(running)")
            let away = try await vehicle.deploy("--remove")
            #expect((away["removed"] as? [String])?.contains(".local/bin/uavlink-companion") == true, "\(away)")
            #expect(try vehicle.homeListing() == before)
            #expect(try await vehicle.companions() == [])
            let without = try await vehicle.uavlink("status", "--link", "udp")
            expectFailure(without, code: 3, saying: ["not installed", "deploy hexa"], within: .seconds(60))
        }

        @Test func `it flies with 64 MB of address space and a read-only root, and runs for a user without a home`()
            async throws
        {
            try await RootedVehicle.with { vehicle in
                let written = try await vehicle.run("/bin/sh", "-c", "touch /etc/x /usr/x", user: "root")
                #expect(written.components(separatedBy: "Read-only file system").count == 3, "\(written)")
                // Nothing can be deployed there, and what root has put elsewhere runs.
                let refused = try await vehicle.uavlink(
                    "deploy", "--quiet", "--program", try vehicle.companion("homeless"), to: "homeless")
                expectFailure(refused, code: 1, saying: ["homeless", "no home"], within: .seconds(60))
                try vehicle.placeCompanion()
                let status = try await vehicle.uavlink("status", "--json", "--link", "udp", to: "homeless")
                #expect(try json(status)["flight_state"] as? String == "disarmed", "\(status)")
                let stopped = try await vehicle.run(
                    "/opt/uavlink/uavlink-companion", "stop", "--uav", "uav1", user: "homeless")
                #expect(stopped.contains("stopping"), "\(stopped)")
                let report = try await vehicle.deploy("--program", try vehicle.companion("small"), to: "small")
                #expect(report["ok"] as? Bool == true, "\(report)")
                let up = try await vehicle.uavlink("takeoff", "--arm", "--wait", "--link", "udp", to: "small")
                #expect(up.status == 0, "\(up)")
                let limits = try await vehicle.run("/bin/sh", "-c", "cat /proc/$(pgrep companion)/limits")
                #expect(limits.contains("Max address space         67108864"), "\(limits)")
                let down = try await vehicle.uavlink("land", "--wait", "--link", "udp", to: "small")
                #expect(down.status == 0, "\(down)")
            }
        }

        @Test func `the companion is deployed and runs on a kernel without IPv6`() async throws {
            try await RootedVehicle.with([]) { vehicle in
                let report = try await vehicle.deploy("--program", try vehicle.companion("old"))
                #expect(report["link"] as? String == "udp", "\(report)")
                #expect(try await vehicle.companions().count == 1)
                // What this test is about: the companion's process cannot have such a socket.
                let sockets = try await vehicle.run("/bin/cat", "/proc/net/udp6", "/proc/net/tcp6")
                #expect(!sockets.contains(": "), "\(sockets)")
            }
        }
    }
#endif
