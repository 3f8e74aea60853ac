import ROSDefinitions
import ROSMessages
import Testing

@Suite struct DefinitionTests {
    @Test func `fields, arrays, constants and comments are distinguished`() throws {
        let text = """
            # a comment with = and []
            Header header   # the alias\r
            int32 X=-1      # one
            \t float64 PI = 3.14
            string NAME= a # b = "c"\u{20}\u{20}
            bool YES=True
            byte[] bytes
            char c
            time[2] times
            Local[] locals
            other_pkg/Type one

            """
        let definition = try MessageDefinition(typeName: "pkg/Name", text: text)
        #expect(definition.fields.map(\.name) == ["header", "bytes", "c", "times", "locals", "one"])
        #expect(definition.fields[0].element == .message("std_msgs/Header"))
        #expect(definition.fields[1].element == .builtin(.byte))
        #expect(definition.fields[1].count == .any)
        #expect(definition.fields[3].count == .fixed(2))
        #expect(definition.fields[4].element == .message("pkg/Local"))
        #expect(definition.fields[5].element == .message("other_pkg/Type"))
        #expect(definition.constants.map(\.name) == ["X", "PI", "NAME", "YES"])
        #expect(definition.constants.map(\.value) == ["-1", "3.14", "a # b = \"c\"", "True"])
        #expect(definition.dependencies == ["std_msgs/Header", "pkg/Local", "other_pkg/Type"])
    }

    @Test(arguments: [
        ("float64", 1), ("float64 x y", 1), ("a b\nfloat64 1x", 2), ("float64[ x", 1), ("float64[x] y", 1),
        ("float64[-1] y", 1), ("float64[1048577] y", 1), ("int8 X=128", 1), ("uint8 X=-1", 1), ("int8 X=", 1),
        ("time T=1", 1), ("pkg/A/B x", 1), ("/A x", 1), ("Foo X=1", 1), ("=1", 1), ("int8 =1", 1), ("b\u{e4}r x", 1),
        ("float64[2][3] x", 1), ("bool B=maybe", 1),
    ])
    func `what is wrong is named with its line`(text: String, line: Int) {
        let error = #expect(throws: DefinitionError.self) { try MessageDefinition(typeName: "pkg/Name", text: text) }
        #expect(error?.line == line, "\(error as Any)")
    }

    @Test func `limits are taken at the limit and not one past it`() throws {
        #expect(throws: Never.self) { try MessageDefinition(typeName: "p/N", text: "uint8[1048576] x") }
        let padding = String(repeating: "#", count: MessageDefinition.maximumTextBytes)
        #expect(throws: Never.self) { try MessageDefinition(typeName: "p/N", text: padding) }
        #expect(throws: DefinitionError.self) { try MessageDefinition(typeName: "p/N", text: padding + "#") }
    }

    @Test(arguments: ["", "Name", "a/b/c", "/Name", "pkg/", "p k/N", "pkg/Näme"])
    func `what cannot be a type's name is refused`(name: String) {
        #expect(throws: DefinitionError.self) { try MessageDefinition(typeName: name, text: "") }
    }

    @Test func `a service has two sides`() throws {
        let service = try ServiceDefinition(typeName: "p/S", text: "int8 a\n---\nint8 b\n")
        #expect(service.request.fields.map(\.name) == ["a"])
        #expect(service.response.fields.map(\.name) == ["b"])
        #expect(service.request.typeName == "p/SRequest")
        #expect(throws: DefinitionError.self) { try ServiceDefinition(typeName: "p/S", text: "int8 a\n") }
        #expect(throws: DefinitionError.self) { try ServiceDefinition(typeName: "p/S", text: "---\n---\n") }
        let error = #expect(throws: DefinitionError.self) {
            try ServiceDefinition(typeName: "p/S", text: "int8 a\n---\nint8 b\nbad\n")
        }
        #expect(error?.line == 4)
    }

    /// Sums of `std_srvs` and `std_msgs` as every ROS installation has them.
    @Test func `sums are ROS's own`() throws {
        let set = DefinitionSet()
        let trigger = try ServiceDefinition(typeName: "std_srvs/Trigger", text: "---\nbool success\nstring message\n")
        #expect(try set.md5(of: trigger) == "937c9679a518e3a18d831e57125ea522")
        let empty = try ServiceDefinition(typeName: "std_srvs/Empty", text: "---\n")
        #expect(try set.md5(of: empty) == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test func `a full text is taken apart and made again`() throws {
        let rule = String(repeating: "=", count: 80)
        let text = "B b\nC c\n\n\(rule)\nMSG: p/B\nC c\n\n\(rule)\nMSG: p/C\nint8 x\n"
        let set = try DefinitionSet(fullText: text, typeName: "p/A")
        #expect(try set.dependencies(of: "p/A") == ["p/B", "p/C"])
        #expect(try set.fullText(of: "p/A") == text)
        #expect(try set.minimumSize(of: "p/A") == 2)
    }

    @Test(arguments: [
        "B b\n", "A a\n", "B b\n\n{rule}\nMSG: p/B\nA a\n", "int8 x\n{rule}\n", "int8 x\n{rule}\nint8 y\n",
        "B[1000000] b\n{rule}\nMSG: p/B\nint64[1000000] x\n",
    ])
    func `a full text that cannot be is refused`(text: String) {
        let text = text.replacing("{rule}", with: String(repeating: "=", count: 80))
        #expect(throws: DefinitionError.self) { try DynamicDecoder(typeName: "p/A", definition: text) }
    }

    @Test func `messages may lie as deep in each other as the limit`() throws {
        func decoder(depth: Int) throws -> DynamicDecoder {
            var text = "M1 m\n"
            for level in 1..<depth {
                text += String(repeating: "=", count: 80) + "\nMSG: p/M\(level)\n"
                text += level == depth - 1 ? "int8 x\n" : "M\(level + 1) m\n"
            }
            return try DynamicDecoder(typeName: "p/M0", definition: text)
        }
        let deepest = try decoder(depth: DefinitionSet.maximumDepth)
        #expect(try deepest.decode([7]).size == 1)
        #expect(throws: DefinitionError.self) { try decoder(depth: DefinitionSet.maximumDepth + 1) }
    }

    @Test func `values are found by their paths`() throws {
        let rule = String(repeating: "=", count: 80)
        let decoder = try DynamicDecoder(
            typeName: "p/A", definition: "B[] list\nuint8[] raw\n\(rule)\nMSG: p/B\nint16 x\nstring s\n")
        var writer = ROSWriter()
        writer.writeCount(2)
        for (x, s) in [(Int16(-3), "a"), (4, "b")] {
            writer.write(x)
            writer.write(s)
        }
        writer.write([UInt8(5), 6])
        let (value, size) = try decoder.decode(writer.bytes)
        #expect(size == writer.count)
        #expect(value["list[1].x"] == .integer(4))
        #expect(value["list[0].s"] == .text("a"))
        #expect(value["raw[1]"]?.number == 6)
        for path in ["list[2].x", "list[-1]", "nothing", "list.x", "raw[2]", "list[1].x.y"] {
            #expect(value[path] == nil)
        }
    }

    @Test func `a message that would fill the memory is refused`() throws {
        let rule = String(repeating: "=", count: 80)
        let decoder = try DynamicDecoder(
            typeName: "p/A", definition: "B[65536] list\n\(rule)\nMSG: p/B\nE[65536] list\n\(rule)\nMSG: p/E\n")
        #expect(throws: ROSDecodingError.self) { try decoder.decode([]) }
    }
}
