import Testing
import YAML

@Suite struct `YAML reading` {
    @Test func `a world file is read with lines and columns`() throws {
        let root = try YAMLReader.document(
            """
            mrs_uav_managers:
              world_origin:
                units: "LATLON"   # or UTM
                origin_x: 47.397743
              safety_area_manager:
                safety_area:
                  enabled: true
                  horizontal:
                    points: [-50, -50,
                             50, 50.5]
            """)
        #expect(try root.value("mrs_uav_managers", "world_origin", "units").string == "LATLON")
        #expect(try root.value("mrs_uav_managers", "world_origin", "origin_x").finiteDouble == 47.397743)
        let area = try root.value("mrs_uav_managers", "safety_area_manager", "safety_area")
        #expect(try area.value("enabled").bool)
        let points = try area.value("horizontal", "points").sequence
        #expect(try points.map { value throws(YAMLError) in try value.double } == [-50, -50, 50, 50.5])
        #expect(points[3].position == YAMLPosition(line: 10, column: 22))
        #expect(root.find("mrs_uav_managers", "nothing", "here") == nil)
    }

    @Test func `a service reply of rosservice is read`() throws {
        let root = try YAMLReader.document("success: True\nmessage: \"can not takeoff, UAV not armed!\"\n")
        #expect(try root.value("success").bool)
        #expect(try root.value("message").string == "can not takeoff, UAV not armed!")
        #expect(try root.mapping.keys == ["success", "message"])
    }

    @Test func `documents of a stream are distinguished`() throws {
        let all = try YAMLReader.documents("a: 1\n---\na: 2\n---\n")
        #expect(all.count == 3)
        #expect(all[2].isNull)
        #expect(try YAMLReader.documents("").isEmpty)
        #expect(try YAMLReader.documents("# only a remark\n").isEmpty)
        let error = #expect(throws: YAMLError.self) { try YAMLReader.document("a: 1\n---\na: 2\n") }
        #expect(error?.description == "line 3, column 1: found a second document, expected only one")
    }

    @Test func `a key that stands twice is named with both lines`() {
        let error = #expect(throws: YAMLError.self) { try YAMLReader.document("host: a\nuser: b\nhost: c\n") }
        #expect(error?.code == .duplicateKey)
        #expect(
            error?.from("uavlink.yaml").description
                == "uavlink.yaml, line 3, column 1: the key 'host' occurs twice, first on line 1")
    }

    @Test(arguments: [
        "a: [1, 2", "a: b: c", "\ta: 1", "a: \"open", "- a\nb: 1", "*nobody", "%YAML 9.9\n---\na", "\u{1}",
    ])
    func `what is not YAML gives a syntax error`(text: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLReader.documents(text) }
        #expect(error?.code == .syntax)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: YAMLError.self) { try YAMLReader.documents([0x61, 0x3A, 0x20, 0xFF, 0xFE, 0x0A]) }
        #expect(throws: YAMLError.self) { try YAMLReader.documents([0xC0, 0x80]) }
        // UTF-16, which libyaml would guess by itself.
        #expect(throws: YAMLError.self) { try YAMLReader.documents([0xFF, 0xFE, 0x61, 0x00]) }
    }

    @Test func `bytes that are no UTF-8 are named by line and column`() {
        let error = #expect(throws: YAMLError.self) {
            try YAMLReader.documents(Array("a: 1\n# \u{E9}".utf8) + [0xF6, 0x68, 0x0A])
        }
        #expect(error?.position == YAMLPosition(line: 2, column: 4))
    }

    @Test func `a byte order mark is no part of the text`() throws {
        #expect(try YAMLReader.document([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8)).value("a").int == 1)
    }

    @Test(arguments: [
        "a: &x {b: 1}\nc:\n  <<: *x\n", "? [1, 2]\n: 3\n", "a: !!binary aGk=\n", "a: !python/object:os.system 1\n",
    ])
    func `what no configuration needs is refused by name`(text: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLReader.documents(text) }
        #expect(error?.code == .unsupported)
    }

    @Test func `a tag that says text makes a number text`() throws {
        let root = try YAMLReader.document("a: !!str 5\nb: !!int 5\nc: '5'\n")
        #expect(throws: YAMLError.self) { try root.value("a").int }
        #expect(throws: YAMLError.self) { try root.value("c").int }
        #expect(try root.value("b").int == 5)
        #expect(try root.value("a").string == "5")
    }

    @Test func `text inside quotes may hold anything, a NUL too`() throws {
        #expect(try YAMLReader.document("mass: \"2.0\\0kg\"").value("mass").string == "2.0\u{0}kg")
    }
}

@Suite struct `YAML limits` {
    @Test func `size is bounded to the byte`() throws {
        #expect(try YAMLReader.documents("a: 12345", limits: YAMLLimits(bytes: 8)).count == 1)
        let error = #expect(throws: YAMLError.self) {
            try YAMLReader.documents("a: 123456", limits: YAMLLimits(bytes: 8))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `depth is bounded to the level`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(try YAMLReader.documents(nested(64)).count == 1)
        #expect(throws: YAMLError.self) { try YAMLReader.documents(nested(65)) }
        #expect(throws: YAMLError.self) { try YAMLReader.documents(nested(1_000_000)) }
        #expect(throws: YAMLError.self) { try YAMLReader.documents(String(repeating: "- ", count: 100_000)) }
        #expect(throws: YAMLError.self) { try YAMLReader.documents(String(repeating: "[", count: 4 << 20)) }
        #expect(throws: YAMLError.self) { try YAMLReader.documents(String(repeating: "{a: ", count: 500_000)) }
    }

    @Test func `the number of values is bounded to the value`() throws {
        #expect(try YAMLReader.documents("[1, 2, 3]", limits: YAMLLimits(nodes: 4)).count == 1)
        #expect(throws: YAMLError.self) { try YAMLReader.documents("[1, 2, 3]", limits: YAMLLimits(nodes: 3)) }
    }

    @Test func `an alias repeats a value and is counted as such`() throws {
        let root = try YAMLReader.document("a: &x [1, 2]\nb: *x\n", limits: YAMLLimits(nodes: 7))
        #expect(try root.value("b").sequence.count == 2)
        #expect(throws: YAMLError.self) {
            try YAMLReader.document("a: &x [1, 2]\nb: *x\n", limits: YAMLLimits(nodes: 6))
        }
    }

    @Test func `aliases of aliases cannot blow up`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let copies = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(copies)]\n"
        }
        let error = #expect(throws: YAMLError.self) { try YAMLReader.document(text) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `aliases cannot nest deeper than values may`() {
        var text = "a0: &a0 [x]\n"
        for level in 1...70 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        let error = #expect(throws: YAMLError.self) { try YAMLReader.document(text) }
        #expect(error?.code == .tooLarge)
    }

    @Test func `a value cannot hold itself`() {
        #expect(throws: YAMLError.self) { try YAMLReader.document("a: &x [*x]\n") }
    }
}
