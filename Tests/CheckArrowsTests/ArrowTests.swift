import Foundation
import Testing

@testable import CheckArrows

@Suite struct `The arrow check` {
    private func manifest(_ targets: String) throws -> Manifest {
        try JSONDecoder().decode(Manifest.self, from: Data("{\"targets\": [\(targets)], \"name\": \"x\"}".utf8))
    }

    private func target(_ name: String, _ type: String = "regular", uses: [String] = [], path: String? = nil) -> String
    {
        let dependencies = uses.map { "{\"byName\": [\"\($0)\", null]}" }.joined(separator: ", ")
        let place = path.map { "\"path\": \"\($0)\", " } ?? ""
        return "{\"name\": \"\(name)\", \"type\": \"\(type)\", \(place)\"dependencies\": [\(dependencies)]}"
    }

    private func findings(_ targets: [String], _ sources: [String: String] = [:]) throws -> [String] {
        let files = sources.mapValues { [ArrowCheck.File(path: "f.swift", source: $0)] }
        return try ArrowCheck(manifest: manifest(targets.joined(separator: ",")), files: files).findings()
    }

    private var house: [String] {
        [
            target("UAVLink"), target("CYAML", "system"), target("YAML", uses: ["CYAML"]),
            target("UAVCore", uses: ["UAVLink", "YAML"]), target("UAVTestKit", uses: ["UAVLink"]),
            target("uavlink-sim", "executable", uses: ["UAVCore"]),
            target("UAVCoreTests", "test", uses: ["UAVCore", "UAVTestKit"]),
        ]
    }

    @Test func `a house in order has no findings`() throws {
        let found = try findings(
            house,
            [
                "UAVLink": "import Synchronization\n", "YAML": "internal import CYAML\n",
                "UAVCore": "public import UAVLink\ninternal import struct YAML.YAMLNode\nimport Foundation\n",
                "uavlink-sim": "import UAVCore\nimport Foundation\n",
                "UAVCoreTests": "import Testing\nimport UAVTestKit\n@testable import UAVCore\n",
            ])
        #expect(found == [])
    }

    @Test(arguments: [
        ("UAVLink", "import Foundation", "f.swift:1: UAVLink must not import Foundation"),
        ("UAVLink", "import UAVCore", "f.swift:1: imports UAVCore, which Package.swift does not list for UAVLink"),
        (
            "UAVCore", "\n\n@preconcurrency import CYAML // libyaml",
            "f.swift:3: imports CYAML, which Package.swift does not list for UAVCore"
        ),
        ("YAML", "public import CYAML", "f.swift:1: CYAML is a C library: import it internally"),
        ("YAML", "@_exported import CYAML", "f.swift:1: CYAML is a C library: import it internally"),
        ("UAVCore", "import XCTest", "f.swift:1: UAVCore must not import XCTest"),
        (
            "UAVCore", "import uavlink_sim",
            "f.swift:1: imports uavlink-sim, which Package.swift does not list for UAVCore"
        ),
        (
            "UAVCore", "#if canImport(X)\n    internal import class UAVTestKit.FakeLink\n#endif",
            "f.swift:2: imports UAVTestKit, which Package.swift does not list for UAVCore"
        ),
        (
            "UAVCoreTests", "import UAVLink",
            "f.swift:1: imports UAVLink, which Package.swift does not list for UAVCoreTests"
        ),
    ])
    func `an import that breaks an arrow is named`(target: String, source: String, expected: String) throws {
        #expect(try findings(house, [target: source]) == [expected])
    }

    @Test func `what only looks like an import is none`() {
        let source = """
            // import Foundation
            /* import Foundation
            import Foundation */
            let python = \"\"\"
                import rospy
                \"\"\"
            let important = 1
            import UAVLink
            """
        #expect(Import.all(in: source) == [Import(line: 8, module: "UAVLink", isPublic: false)])
    }

    @Test func `dependencies go down only`() throws {
        let up = "Package.swift: UAVCore must not depend on SSHTransport, which stands beside or above it"
        #expect(try findings([target("UAVCore", uses: ["SSHTransport"]), target("SSHTransport")]) == [up])
        let beside = "Package.swift: UAVCore must not depend on Simulation, which stands beside or above it"
        #expect(try findings([target("UAVCore", uses: ["Simulation"]), target("Simulation")]) == [beside])
    }

    @Test func `what flies does not depend on what tests`() throws {
        let kit = target("UAVTestKit")
        let library = "Package.swift: UAVCore must not depend on UAVTestKit, which is for tests"
        #expect(try findings([kit, target("UAVCore", uses: ["UAVTestKit"])]) == [library])
        let program = "Package.swift: uavlink must not depend on UAVTestKit, which is for tests"
        #expect(try findings([kit, target("uavlink", "executable", uses: ["UAVTestKit"])]) == [program])
    }

    @Test func `a target without a floor is told to get one`() throws {
        #expect(try findings([target("Newcomer")]).first?.hasPrefix("Package.swift: Newcomer has no floor") == true)
    }
}
