import ROS2
import Testing

@Suite struct InterfaceDefinitionTests {
    @Test func `bounds, defaults, constants, comments and names of all kinds are read`() throws {
        let definition = try InterfaceDefinition(
            typeName: "a/msg/B",
            text: """
                # Nothing. It's a comment.
                uint8 ONE=1   # one
                string NAME = "x # y"
                float64[3] position
                string<=10 short "it's # here"   # there
                string<=4[<=2] both
                bool flag true
                Other[] others
                std_msgs/Header header
                c/msg/D full
                char letter\t65
                int32[] numbers [1, 2, 3]\r
                """)
        #expect(
            definition.type.fields.map { "\($0.type) \($0.name) \($0.defaultValue)" } == [
                "float64[3] position ", "string<=10 short \"it's # here\"", "string<=4[<=2] both ", "bool flag true",
                "a/msg/Other[] others ", "std_msgs/msg/Header header ", "c/msg/D full ", "uint8 letter 65",
                "int32[] numbers [1, 2, 3]",
            ])
        #expect(
            definition.constants.map { "\($0.type) \($0.name) \($0.value)" } == ["uint8 ONE 1", "string NAME x # y"])
        #expect(definition.type.fields[2].type.typeID == 21 + 96)
    }

    @Test func `a type without fields has the one that all give it`() throws {
        let empty = try InterfaceDefinition(typeName: "a/msg/B", text: "# none\nuint8 X=1\n")
        #expect(empty.type.isEmpty && empty.type.fields.map(\.name) == ["structure_needs_at_least_one_member"])
    }

    @Test(arguments: [
        "int32", "int32 1a", "int32[ a", "int32[0] a", "int32[-1] a", "int32[<=] a", "int32[1048577] a",
        "string<= a", "string<10 a", "int32<=3 a", "a/b/C d", "a/msg/C/d e", "Other X=1", "int32[2] X=1", "int32 =1",
        "in-t a", "[] a",
    ])
    func `what is no definition is refused with its line`(line: String) {
        let error = #expect(throws: InterfaceError.self) {
            try InterfaceDefinition(typeName: "a/msg/B", text: "bool fine\n\(line)\n")
        }
        #expect(error?.line == 2, "\(line)")
    }

    @Test func `a full text is taken apart and made again`() throws {
        let rule = String(repeating: "=", count: 80)
        let text =
            "C c\nE e\n\n\(rule)\nMSG: a/C\nD[] d\n\n\(rule)\nMSG: a/D\nbool x\n\n\(rule)\nMSG: a/msg/E\nbool y\n"
        let set = try InterfaceSet(fullText: text, typeName: "a/msg/B")
        #expect(try set.dependencies(of: "a/msg/B") == ["a/msg/C", "a/msg/D", "a/msg/E"])
        #expect(try set.fullText(of: "a/msg/B") == text.replacing("a/msg/E", with: "a/E"))
        #expect(try set.description(of: "a/msg/B").referenced.count == 3)
    }

    @Test func `missing types, cycles and texts without end are refused`() throws {
        let rule = String(repeating: "=", count: 80)
        let missing = try InterfaceSet(fullText: "C c\n", typeName: "a/msg/B")
        #expect(throws: InterfaceError.self) { try missing.description(of: "a/msg/B") }
        let cycle = try InterfaceSet(fullText: "C c\n\(rule)\nMSG: a/C\nB b\n", typeName: "a/msg/B")
        #expect(throws: InterfaceError.self) { try cycle.description(of: "a/msg/B") }
        #expect(throws: InterfaceError.self) { try InterfaceSet(fullText: "bool x\n\(rule)", typeName: "a/msg/B") }
        #expect(throws: InterfaceError.self) { try InterfaceSet(fullText: "\(rule)\nbool x\n", typeName: "a/msg/B") }
        let many = String(repeating: "\(rule)\nMSG: a/C\n", count: InterfaceSet.maximumDefinitions + 1)
        _ = try InterfaceSet(fullText: many, typeName: "a/msg/B")
        let different = (0...InterfaceSet.maximumDefinitions).map { "\(rule)\nMSG: a/C\($0)\n" }.joined()
        #expect(throws: InterfaceError.self) { try InterfaceSet(fullText: different, typeName: "a/msg/B") }
    }
}
