#if os(Linux)
    import FlightTestKit
    import Foundation
    import IntegrationKit
    import Testing
    import UAVLink

    /// Deployments over slow and bad radio links.
    @Suite(
        "Deployments over a radio", .enabled(if: VehicleRoot.missing == nil, "\(VehicleRoot.missing ?? "")"),
        .serialized, .timeLimit(.minutes(MachinePace.minutes(10))))
    struct DeployOverRadioTests {
        /// No released companion is larger.
        private static let largest = 12_000_000

        @Test func `twelve megabytes take ten seconds at most at 20 Mbit a second`() async throws {
            try await RootedVehicle.with { vehicle in
                try await Radio.with("rate=20mbit,delay=2ms", in: vehicle.networks) { radio in
                    var taken: [Double] = []
                    // The machine may be busy meanwhile, with what runs beside this test.
                    for attempt in 1...4 where taken.allSatisfy({ $0 > 10 * MachinePace.factor }) {
                        let program = try vehicle.companion(bytes: Self.largest, version: Version.text)
                        let report = try await vehicle.deploy("--program", program, to: "radio")
                        #expect(report["uploaded_bytes"] as? Int == Self.largest, "\(report)")
                        expectKnownToStand(report)
                        let upload = try #require(report["upload_s"] as? Double, "\(report)")
                        let seconds = try #require(report["duration_s"] as? Double, "\(report)")
                        // Else it did not go over the radio.
                        #expect(upload > 4.8 && radio.carriedUp > Self.largest * attempt, "\(report)")
                        print("deploy: 12 MB at 20 Mbit/s: \(seconds) s, the upload \(upload) s of it")
                        taken.append(seconds)
                    }
                    #expect(taken.contains { $0 <= 10 * MachinePace.factor }, "\(taken)")
                }
            }
        }

        @Test func `one packet of twenty is lost, and the companion is deployed`() async throws {
            try await RootedVehicle.with([.ipv6]) { vehicle in
                try await Radio.with("rate=20mbit,delay=2ms,loss=5%", in: vehicle.networks) { radio in
                    let program = try vehicle.companion(bytes: 6_000_000, version: "1.0.0")
                    let report = try await vehicle.deploy("--program", program, to: "radio")
                    #expect(report["ok"] as? Bool == true && report["version"] as? String == "1.0.0", "\(report)")
                    #expect((report["round_trip_ms"] as? Double ?? 0) >= 4, "\(report)")
                    print("deploy: 6 MB with 5 % loss: \(report["duration_s"] ?? "?") s, \(radio.lost) packets lost")
                    #expect(radio.lost > 100)
                }
            }
        }

        @Test func `a cut of seconds in the middle of an upload is survived, a longer one leaves the companion before`()
            async throws
        {
            try await RootedVehicle.with([.ipv6]) { vehicle in
                try await Radio.with("rate=20mbit,delay=2ms", in: vehicle.networks) { radio in
                    let before = try await vehicle.deploy("--program", try vehicle.companion("before"), to: "radio")
                    let name = try #require(before["name"] as? String, "\(before)")
                    let long = try await deploy(vehicle, "2.0.0", cutting: radio, for: nil)
                    #expect(long.status == 4 || long.status == 3, "\(long)")
                    #expect(long.errors.contains("the upload ended after"), "\(long)")
                    #expect(long.errors.contains("what was deployed before is unchanged"), "\(long)")
                    radio.setDark(false)
                    let link = try await vehicle.run("/bin/readlink", "/home/mrs/.local/bin/uavlink-companion")
                    #expect(link == "/home/mrs/.local/lib/uavlink/\(name)\n")
                    let control = try await vehicle.uavlink("control", "--link", "udp", "--json", to: "radio")
                    #expect(control.status == 0, "\(control)")
                    let short = try await deploy(vehicle, "3.0.0", cutting: radio, for: .seconds(4))
                    #expect(short.status == 0, "\(short)")
                    let report = try json(short)
                    #expect(report["version"] as? String == "3.0.0" && report["previous"] as? String == name)
                    // The part of 2.0.0 may be of another deployment that still goes on, until it is ten minutes old.
                    #expect(try !vehicle.homeListing().contains { $0.contains("/incoming") })
                }
            }
        }

        /// Deploys 6 MB, and cuts the radio when a third of it has arrived: for a time, or until the program has ended.
        private func deploy(
            _ vehicle: RootedVehicle, _ version: String, cutting radio: Radio, for time: Duration?
        ) async throws -> FlightStack.Outcome {
            let program = try vehicle.companion(bytes: 6_000_000, version: version)
            let begun = ContinuousClock.now
            let carried = radio.carriedUp
            // No flight stack runs there: whether the vehicle flies is not known, and a companion is ended.
            let child = try vehicle.launch(
                "deploy", ["--json", "--quiet", "--force", "--program", program], to: "radio")
            let isHalf = await eventually { radio.carriedUp > carried + 2_000_000 || child.exitStatus != nil }
            #expect(isHalf && child.exitStatus == nil, "\(child.output) \(child.errors)")
            radio.setDark(true)
            if let time {
                try await Task.sleep(for: time)
                #expect(child.exitStatus == nil)
                radio.setDark(false)
            }
            let status = try await child.exit(within: .seconds(120))
            return FlightStack.Outcome(child, status: status, since: begun)
        }
    }
#endif
