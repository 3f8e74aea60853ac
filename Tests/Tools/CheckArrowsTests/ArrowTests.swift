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
        let files = sources.mapValues { [LayerCheck.File(path: "f.swift", source: $0)] }
        return try LayerCheck(manifest: manifest(targets.joined(separator: ",")), files: files).findings()
    }

    private var package: [String] {
        [
            target("UAVLink", path: "Sources/Core/UAVLink"), target("CYAML", "system", path: "Sources/Libraries/CYAML"),
            target("YAML", uses: ["CYAML"], path: "Sources/Support/YAML"),
            target("MRS", uses: ["UAVLink", "YAML"], path: "Sources/Vehicles/MRS"),
            target("UAVTestKit", uses: ["UAVLink"], path: "Tests/UAVTestKit"),
            target("uavlink-sim", "executable", uses: ["MRS"], path: "Sources/Programs/uavlink-sim"),
            target("MRSTests", "test", uses: ["MRS", "UAVTestKit"], path: "Tests/Vehicles/MRSTests"),
        ]
    }

    /// Each imports what it lists.
    private let sources = [
        "YAML": "internal import CYAML\n",
        "MRS": "public import UAVLink\ninternal import struct YAML.YAMLNode\nimport Dispatch\n",
        "UAVTestKit": "import UAVLink\n", "uavlink-sim": "import MRS\nimport Dispatch\n",
        "MRSTests": "import Testing\nimport Foundation\nimport UAVTestKit\n@testable import MRS\n",
        "UAVLink": "import Synchronization\n",
    ]

    @Test func `a package in order has no findings`() throws {
        #expect(try findings(package, sources) == [])
    }

    @Test(arguments: [
        ("UAVLink", "import Foundation", "f.swift:LINE: UAVLink must not import Foundation"),
        ("MRS", "import Foundation", "f.swift:LINE: MRS must not import Foundation"),
        (
            "uavlink-sim", "import FoundationEssentials",
            "f.swift:LINE: uavlink-sim must not import FoundationEssentials"
        ),
        ("UAVLink", "import MRS", "f.swift:LINE: imports MRS, which Package.swift does not list for UAVLink"),
        (
            "MRS", "@preconcurrency import CYAML // libyaml",
            "f.swift:LINE: imports CYAML, which Package.swift does not list for MRS"
        ),
        ("YAML", "public import CYAML", "f.swift:LINE: CYAML is a C library: import it internally"),
        ("YAML", "@_exported import CYAML", "f.swift:LINE: CYAML is a C library: import it internally"),
        ("MRS", "import XCTest", "f.swift:LINE: MRS must not import XCTest"),
        (
            "MRS", "import uavlink_sim",
            "f.swift:LINE: imports uavlink-sim, which Package.swift does not list for MRS"
        ),
        (
            "MRS", "internal import class UAVTestKit.FakeLink",
            "f.swift:LINE: imports UAVTestKit, which Package.swift does not list for MRS"
        ),
        (
            "MRSTests", "import UAVLink",
            "f.swift:LINE: imports UAVLink, which Package.swift does not list for MRSTests"
        ),
    ])
    func `an import that breaks an arrow is named`(target: String, source: String, expected: String) throws {
        let all = sources.merging([target: (sources[target] ?? "") + source]) { $1 }
        let line = (sources[target] ?? "").count { $0 == "\n" }
        #expect(try findings(package, all) == [expected.replacing("LINE", with: "\(line + 1)")])
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

    @Test(arguments: [
        ("let count = poll(&entries, 1, 5)", "poll"), ("let made = Glibc.socket(AF_INET, 1, 0)", "socket"),
        ("guard dlopen(name, RTLD_NOW) != nil else { return }", "dlopen"),
        ("let text = \"\\(String(cString: strerror(errno)))\"", "strerror"),
    ])
    func `a call for which SystemIO has a type is named`(line: String, function: String) throws {
        let all = sources.merging(["MRS": (sources["MRS"] ?? "") + line]) { $1 }
        #expect(try findings(package, all) == ["f.swift:4: calls \(function), for which SystemIO has a type"])
        // Tests and SystemIO itself may.
        let test = sources.merging(["MRSTests": (sources["MRSTests"] ?? "") + line]) { $1 }
        #expect(try findings(package, test) == [])
        let own = target("SystemIO", path: "Sources/Support/SystemIO")
        #expect(try findings([own], ["SystemIO": line]) == [])
    }

    @Test func `what only looks like a call of the system is none`() {
        let source = """
            // poll(&entries, 1, 5)
            let poll = 5 /// or poll(2)
            func pipe(_ name: String) {}
            try OwnedDescriptor.pipe()
            let handle = connection.socket(1) + system_poll(2) + Poller(poll: 3)
            """
        #expect(Call.all(of: Layers.systemCalls.functions, in: source) == [])
    }

    @Test func `dependencies go down only`() throws {
        let core = target("UAVLink", path: "Sources/Core/UAVLink")
        let up = target("MRS", uses: ["SSHTransport"], path: "Sources/Vehicles/MRS")
        let ssh = target("SSHTransport", path: "Sources/Links/SSHTransport")
        #expect(
            try findings([up, ssh, core]) == [
                "Package.swift: MRS (Vehicles) must not depend on SSHTransport (Links), which is not below it"
            ])
        let beside = target("Node", uses: ["MRS", "UAVLink"], path: "Sources/Vehicles/Node")
        #expect(try findings([beside, target("MRS", path: "Sources/Vehicles/MRS"), core]) == [])
    }

    @Test func `what flies does not depend on what tests`() throws {
        let kit = target("UAVTestKit", path: "Tests/UAVTestKit")
        let library = "Package.swift: MRS must not depend on UAVTestKit, which is for tests"
        #expect(
            try findings([kit, target("MRS", uses: ["UAVTestKit"], path: "Sources/Vehicles/MRS")]) == [library])
        let program = "Package.swift: uavlink must not depend on UAVTestKit, which is for tests"
        let main = target("uavlink", "executable", uses: ["UAVTestKit"], path: "Sources/Programs/uavlink")
        #expect(try findings([kit, main]) == [program])
    }

    @Test func `a target in no layer is reported`() throws {
        #expect(
            try findings([target("Newcomer")]) == [
                "Package.swift: Newcomer is in Sources/Newcomer, not a layer of Tools/CheckArrows/Layers.swift"
            ])
    }

    @Test func `what is listed and not imported is named`() throws {
        let lazy = target("MRS", uses: ["UAVLink", "YAML"], path: "Sources/Vehicles/MRS")
        let others = package.filter { !$0.contains("MRS") }
        #expect(
            try findings(others + [lazy], ["MRS": "import UAVLink\n", "YAML": "import CYAML\n"]) == [
                "Package.swift: MRS does not import YAML"
            ])
    }

    @Test func `a file or a target that has outgrown its job is named`() throws {
        let names = [target("UAVLink", path: "Sources/Core/UAVLink")]
        func findings(_ files: [LayerCheck.File]) throws -> [String] {
            try LayerCheck(manifest: manifest(names.joined()), files: ["UAVLink": files]).findings()
        }
        func file(_ path: String, lines: Int) -> LayerCheck.File {
            LayerCheck.File(path: path, source: String(repeating: "\n", count: lines))
        }
        #expect(try findings([file("a.swift", lines: 300)]) == [])
        #expect(try findings([file("a.swift", lines: 301)]) == ["a.swift: has 301 lines, more than 300"])
        // A last line that does not end is one.
        let unended = LayerCheck.File(path: "b.swift", source: String(repeating: "\n", count: 300) + "}")
        #expect(try findings([unended]) == ["b.swift: has 301 lines, more than 300"])
        let full = (0..<20).map { file("\($0).swift", lines: 300) }
        #expect(try findings(full) == [])
        #expect(
            try findings(full + [file("a.swift", lines: 1)]) == [
                "Package.swift: UAVLink has 6001 lines, more than 6000"
            ])
        // What a program of ours writes is as long as it is.
        #expect(try findings(full + [file("Sources/Vehicles/MRSMessages/Messages/a.swift", lines: 400)]) == [])
    }
}
