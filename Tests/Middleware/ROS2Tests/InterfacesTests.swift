import ROS2
import ROS2Interfaces
import ROSDefinitions
import ROSMessages
import Testing

/// What a node answers when it is asked for definitions and parameters, and what is made of it.
@Suite struct InterfacesTests {
    private static let log = RclInterfaces.Log.self

    @Test func `a description that a node answers is the one that it made`() throws {
        let ours = try Self.log.ros2Description()
        let answer = TypeDescriptionInterfaces.TypeDescription(ours)
        let read = try TypeDescription(TypeDescriptionInterfaces.TypeDescription(cdr: answer.cdr))
        #expect(read == ours && read.hash == Self.log.ros2TypeHash)
        let service = try RclInterfaces.GetParameters.ros2Description()
        #expect(try TypeDescription(TypeDescriptionInterfaces.TypeDescription(service)).hash == service.hash)
    }

    @Test func `a description with impossible names or types is refused`() throws {
        let good = TypeDescriptionInterfaces.TypeDescription(try Self.log.ros2Description())
        var other = good
        other.typeDescription.typeName = "no name"
        #expect(throws: InterfaceError.self) { try TypeDescription(other) }
        other = good
        other.typeDescription.fields[0].type.typeID = 250
        #expect(throws: InterfaceError.self) { try TypeDescription(other) }
        other = good
        other.referencedTypeDescriptions = Array(repeating: good.typeDescription, count: 256)
        #expect(throws: InterfaceError.self) { try TypeDescription(other) }
    }

    @Test func `a message is decoded by a description`() throws {
        let message = RclInterfaces.Log(
            stamp: ROSTime(seconds: 5, nanoseconds: 6), level: 20, name: "n", msg: "hello", file: "f", function: "g",
            line: 7)
        let decoder = try CDRDynamicDecoder(Self.log.ros2Description())
        let (value, size) = try decoder.decode(message.cdr)
        #expect(value["msg"] == .text("hello") && value["stamp"] == .time(message.stamp))
        #expect(value["line"] == .unsigned(7) && size == message.cdr.count)
    }

    @Test func `a description that cannot be decoded by is refused`() throws {
        func type(_ name: String, _ text: String) throws -> IndividualTypeDescription {
            try InterfaceDefinition(typeName: name, text: text).type
        }
        #expect(throws: InterfaceError.self) {
            try CDRDynamicDecoder(TypeDescription(type: type("a/msg/A", "B b\n")))
        }
        #expect(throws: InterfaceError.self) {
            try CDRDynamicDecoder(
                TypeDescription(type: type("a/msg/A", "B b\n"), referenced: [type("a/msg/B", "A[] a\n")]))
        }
        #expect(throws: InterfaceError.self) {
            try CDRDynamicDecoder(TypeDescription(type: type("a/msg/A", "wstring w\n")))
        }
        // Each level doubles what is below it: it is refused by its depth, and quickly.
        let deep = try (0...40).map { try type("a/msg/D\($0)", "D\($0 + 1) x\nD\($0 + 1) y\n") }
        let end = try type("a/msg/D41", "bool x\n")
        #expect(throws: InterfaceError.self) {
            try CDRDynamicDecoder(TypeDescription(type: deep[0], referenced: deep + [end]))
        }
        let wide = try CDRDynamicDecoder(
            TypeDescription(type: deep[30], referenced: Array(deep[31...]) + [end]))
        #expect(throws: ROSDecodingError.self) { try wide.decode([0, 1, 0, 0, 1]) }
    }

    @Test func `huge arrays are refused before they are allocated`() throws {
        let type = try InterfaceDefinition(typeName: "a/msg/A", text: "float64[1048576] a\nfloat64[1048576] b\n").type
        let decoder = try CDRDynamicDecoder(TypeDescription(type: type))
        #expect(throws: ROSDecodingError.self) { try decoder.decode([0, 1, 0, 0]) }
        var shape = type
        shape.fields[0].type.count = .array(.max)
        let endless = try CDRDynamicDecoder(TypeDescription(type: shape))
        #expect(throws: ROSDecodingError.self) { try endless.decode([0, 1, 0, 0, 0, 0, 0, 0]) }
    }

    @Test(
        arguments: [
            .notSet, .bool(true), .integer(-3), .double(2.5), .string("x"), .bytes([1, 255]), .bools([true, false]),
            .integers([1, -1]), .doubles([0.5]), .strings(["a", ""]),
        ] as [ParameterContent])
    func `a parameter's value is read as it was written`(content: ParameterContent) throws {
        let value = RclInterfaces.ParameterValue(content)
        #expect(value.content == content)
        #expect(try RclInterfaces.ParameterValue(cdr: value.cdr).content == content)
    }

    @Test func `a value of an unknown type is none`() {
        #expect(RclInterfaces.ParameterValue(type: 10).content == nil)
    }
}
