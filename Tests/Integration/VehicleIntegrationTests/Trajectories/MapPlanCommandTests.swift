import FlightTestKit
import Foundation
import IntegrationKit
import PointCloud
import Testing

/// `uavlink map plan` as a script calls it.
@Suite(.enabled(if: BuiltPrograms.folder != nil)) struct MapPlanCommandTests {
    private struct Answer {
        var status: Int32
        var json: [String: Any]
        var errors: String
    }

    /// Plans in our own room, past places written as x,y,z,heading.
    ///
    /// - Parameters:
    ///   - viewpoint: where the room was scanned from.
    ///   - vehicle: options that name the vehicle that is asked.
    private func plan(
        _ places: String, _ options: [String], in folder: TemporaryFolder, named name: String = "points.csv",
        seenFrom viewpoint: String = "1,1,1.5", asking vehicle: [String]? = nil
    ) async throws -> Answer {
        let map = folder.path + "/room.pcd"
        try Data(try PCDWriter.bytes(of: InspectedRoom.ours.map(), encoding: .compressed))
            .write(to: URL(filePath: map))
        let isTable = name.hasSuffix(".csv")
        let points = try folder.write((isTable ? "x,y,z,heading\n" : "") + places, to: name)
        let request = ["map", "plan", map, "--points", points, "--json", "--viewpoint", viewpoint]
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink")] + (vehicle ?? []) + request + (vehicle == nil ? ["--offline"] : [])
                + options, environment: Self.environment(folder))
        let status = try await child.exit(within: .seconds(60))
        let object = try? JSONSerialization.jsonObject(with: Data(child.output.utf8))
        return Answer(status: status, json: object as? [String: Any] ?? [:], errors: child.errors)
    }

    @Test func `a path past places is reported as JSON and written as samples`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/flight.txt"
        let answer = try await plan(
            "4.3,5.2,1.4,0\n1.2,4.6,1.5,2\n", ["--start", "2,1.5,1.5", "--output", file], in: folder)
        #expect(answer.status == 0, "\(answer.errors)")
        #expect(answer.json["ok"] as? Bool == true)
        #expect(answer.json["order"] as? [Int] == [2, 1])
        #expect(answer.json["clearance_m"] as? Double ?? 0 >= 0.55)
        #expect((answer.json["not_checked"] as? [String])?.contains("safety_area") == true, "\(answer.json)")
        #expect(answer.json["written"] as? [String] == [file, folder.path + "/flight.yaml"], "\(answer.json)")
        let samples = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(samples.count == answer.json["samples"] as? Int)
    }

    @Test func `without a path it ends with 1, and says why`() async throws {
        let folder = try TemporaryFolder()
        // Behind the pillar the space is unknown.
        let answer = try await plan("6.5,4.5,1.4,0\n", ["--start", "2,1.5,1.5"], in: folder)
        #expect(answer.status == 1)
        #expect(answer.json["ok"] as? Bool == false)
        #expect(answer.json["blocked"] as? String == "point 1")
        #expect((answer.json["nearest_reachable_m"] as? [Double])?.count == 3)
        let refusal = answer.errors
        #expect(refusal.hasPrefix("uavlink: the vehicle cannot be at point 1: the space at "), "\(refusal)")
        #expect(refusal.contains(" is unknown"), "\(refusal)")
        for option in ["--viewpoint", "--free-start", "--open-unknown"] {
            #expect(refusal.contains(option), "\(refusal)")
        }
        // A map elsewhere, as one in UTM coordinates is: where it is, and what brings it to the points.
        let elsewhere = try await plan(
            "4.3,5.2,1.4,0\n", ["--start", "2,1.5,1.5", "--offset", "465710,5249460,340"], in: folder,
            seenFrom: "465711,5249461,341.5")
        #expect(elsewhere.status == 1, "\(elsewhere.errors)")
        for words in ["outside the map", "the map reaches from (4657", "UTM", "--offset"] {
            #expect(elsewhere.errors.contains(words), "\(elsewhere.errors)")
        }
        // Opened on purpose, it is flown.
        let opened = try await plan("6.5,4.5,1.4,0\n", ["--start", "2,1.5,1.5", "--open-unknown"], in: folder)
        #expect(opened.status == 0, "\(opened.errors)")
    }

    @Test(arguments: ["kml", "geojson", "gpx", "plan", "csv", "kmz", "txt"])
    func `the plan is written in every format that is named, and read again`(format: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/flight." + format
        let origin = ["--origin", "47.397743,8.545594,488"]
        let answer = try await plan(
            "4.3,5.2,1.4,0\n1.2,4.6,1.5,2\n", ["--start", "2,1.5,1.5", "--output", file] + origin, in: folder)
        #expect(answer.status == 0, "\(answer.errors)")
        let frame = ["txt", "csv"].contains(format) ? ["--frame", "world_origin"] : []
        let child = try ChildProcess(
            [BuiltPrograms.path("uavlink"), "--json", "trajectory", "check", "--offline", file] + origin + frame,
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path])
        #expect(try await child.exit() == 0, "\(child.output) \(child.errors)")
        let read = try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any]
        let (length, planned) = (read?["length_m"] as? Double, answer.json["length_m"] as? Double)
        #expect(
            abs((length ?? 0) - (planned ?? -9)) < 0.2, "\(String(describing: length)) \(String(describing: planned))")
    }

    @Test func `a geographic format needs to know where the world lies`() async throws {
        let folder = try TemporaryFolder()
        let answer = try await plan(
            "4.3,5.2,1.4,0\n", ["--start", "2,1.5,1.5", "--output", folder.path + "/a.kml"], in: folder)
        #expect(
            answer.status == 2 && answer.errors.contains("the position of world_origin is unknown"), "\(answer.errors)")
    }

    @Test(arguments: [(100.0, Int32(0)), (3.0, 1)])
    func `the geofence of the points' file limits the flight`(radius: Double, code: Int32) async throws {
        func item(_ latitude: Double, _ longitude: Double) -> String {
            "{\"type\": \"SimpleItem\", \"command\": 16, \"frame\": 0, \"params\": [0,0,0,null,\(latitude),\(longitude),489.4]}"
        }
        let circle = "{\"circle\": {\"center\": [47.397743, 8.545594], \"radius\": \(radius)}, \"inclusion\": true}"
        // About 2 m and 4 m east, 1.5 m and 5 m north of the origin.
        let items = [item(47.3977565, 8.5456206), item(47.3977899, 8.5456471)].joined(separator: ",")
        let file =
            "{\"fileType\": \"Plan\", \"geoFence\": {\"circles\": [\(circle)]}, \"mission\": {\"items\": [\(items)]}}"
        let answer = try await plan(
            file, ["--origin", "47.397743,8.545594,488"], in: TemporaryFolder(), named: "points.plan")
        #expect(answer.status == code, "\(answer.json) \(answer.errors)")
        let objects = try #require(answer.json["findings"] as? [[String: Any]], "\(answer.errors)")
        let findings = objects.compactMap { $0["text"] as? String }
        #expect(findings.contains { $0.contains("leaves geofence 1 of the file") } == (code == 1), "\(findings)")
    }

    @Test func `a region closes the rest of the map`() async throws {
        let folder = try TemporaryFolder()
        let (places, start) = ("1.2,4.6,1.5,2\n", ["--start", "2,1.5,1.5"])
        let whole = try await plan(places, start + ["--region", "0,0,0,3,6,3"], in: folder)
        #expect(whole.status == 0, "\(whole.errors)")
        let half = try await plan(places, start + ["--region", "3,3,3,0,0,0"], in: folder)
        #expect(half.status == 1 && half.json["blocked"] as? String == "point 1", "\(half.json) \(half.errors)")
        #expect(try await plan(places, ["--region", "0,0,0"], in: folder).status == 2)
    }

    @Test func `a file without places is wrong usage`() async throws {
        let answer = try await plan("", [], in: TemporaryFolder())
        #expect(answer.status == 2 && answer.errors.contains("points.csv"))
    }

    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["PATH": "/usr/bin:/bin", "HOME": folder.path, "UAVLINK_RUNTIME_DIR": folder.path + "/run"]
    }

    @Test func `the vehicle is asked where its world lies, and what is known of it is checked`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/flight.kml"
        let options = ["--start", "2,1.5,1.5", "--output", file]
        let asked = ["--vehicle", "sim"]
        let nobody = try await plan("1.2,4.6,1.5,2\n", options, in: folder, asking: asked)
        #expect(nobody.status == 3, "\(nobody.errors)")
        let simulator = try ChildProcess(
            [BuiltPrograms.path("uavlink"), "sim"], environment: Self.environment(folder))
        _ = try await simulator.line(ofErrorsContaining: "is ready")
        let answer = try await plan("1.2,4.6,1.5,2\n", options, in: folder, asking: asked)
        #expect(answer.status == 0, "\(answer.json) \(answer.errors)")
        #expect(answer.json["target"] as? String == "uav1 (simulated)", "\(answer.json)")
        // Without a vehicle there is no such position, see below.
        let written = try String(contentsOfFile: file, encoding: .utf8)
        #expect(written.contains("8.5456"), "\(written)")
        #expect(answer.json["start_distance_from"] as? String == "vehicle", "\(answer.json)")
        #expect(((answer.json["start_distance_m"] as? Double) ?? 0) > 2, "\(answer.json)")
        await simulator.stop()
    }

    @Test(arguments: [(9, Int32(0)), (3, 1)])
    func `the safety area of a world file limits the path`(east: Int, code: Int32) async throws {
        let folder = try TemporaryFolder()
        let world = try folder.write(
            """
            world_origin: {units: LATLON, origin_x: 47.397743, origin_y: 8.545594}
            safety_area:
              enabled: true
              horizontal: {frame_name: world_origin, points: [-1, -1, \(east), -1, \(east), 7, -1, 7]}
              vertical: {frame_name: world_origin, max_z: 4.0, min_z: 0.3}

            """, to: "world.yaml")
        let answer = try await plan(
            "4.3,5.2,1.4,0\n", ["--start", "2,1.5,1.5", "--world", world], in: folder)
        #expect(answer.status == code, "\(answer.json) \(answer.errors)")
        #expect(answer.json["ok"] as? Bool == (code == 0), "\(answer.json)")
        #expect(answer.errors.contains("safety area") == (code == 1), "\(answer.errors)")
    }
}
