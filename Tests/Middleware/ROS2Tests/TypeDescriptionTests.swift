import ROSMessages
import Testing

@testable import ROS2

@Suite struct TypeDescriptionTests {
    private static let string = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    private static let addTwoInts = "RIHS01_e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a"

    @Test func `the text of a String's description has the published hash`() throws {
        let string = try InterfaceDefinition(typeName: "std_msgs/msg/String", text: "string data\n")
        let description = TypeDescription(type: string.type)
        #expect(
            description.hashedText == """
                {"type_description": {"type_name": "std_msgs/msg/String", "fields": [{"name": "data", "type": \
                {"type_id": 17, "capacity": 0, "string_capacity": 0, "nested_type_name": ""}}]}, \
                "referenced_type_descriptions": []}
                """)
        #expect(description.hash.text == Self.string)
    }

    @Test func `a service is hashed with its event`() throws {
        let request = try InterfaceDefinition(
            typeName: "example_interfaces/srv/AddTwoInts_Request", text: "int64 a\nint64 b\n")
        let response = try InterfaceDefinition(
            typeName: "example_interfaces/srv/AddTwoInts_Response", text: "int64 sum\n")
        let service = TypeDescription(
            service: "example_interfaces/srv/AddTwoInts", request: TypeDescription(type: request.type),
            response: TypeDescription(type: response.type))
        #expect(service.hash.text == Self.addTwoInts)
        #expect(
            service.referenced.map(\.typeName) == [
                "builtin_interfaces/msg/Time", "example_interfaces/srv/AddTwoInts_Event",
                "example_interfaces/srv/AddTwoInts_Request", "example_interfaces/srv/AddTwoInts_Response",
                "service_msgs/msg/ServiceEventInfo",
            ])
    }

    @Test func `a hash is 64 lower-case digits`() throws {
        let hash = try #require(TypeHash(Self.string))
        #expect(hash.text == Self.string)
        #expect(TypeHash(0, 0, 0, 1).text == "RIHS01_" + String(repeating: "0", count: 63) + "1")
        for other in [
            "", "RIHS01_", String(Self.string.dropLast()), Self.string + "0", Self.string.uppercased(),
            "RIHS02_" + Self.string.dropFirst(7), "TypeHashNotSupported",
        ] {
            #expect(TypeHash(other) == nil, "\(other)")
        }
        #expect(TypeHash(digest: [1, 2]) == nil)
    }

    @Test func `every number of a field type is read as what it was made of`() {
        for id in UInt8.min...UInt8.max {
            guard let shape = FieldShape(typeID: id, capacity: 3, stringCapacity: 9, nestedTypeName: "a/msg/B") else {
                continue
            }
            #expect(shape.typeID == id, "\(shape)")
        }
        #expect(FieldShape(typeID: 0, capacity: 0, stringCapacity: 0, nestedTypeName: "") == nil)
        #expect(FieldShape(typeID: 1, capacity: 0, stringCapacity: 0, nestedTypeName: "") == nil)
        #expect(FieldShape(typeID: 23, capacity: 0, stringCapacity: 0, nestedTypeName: "") == nil)
        #expect(FieldShape(typeID: 54, capacity: 0, stringCapacity: 0, nestedTypeName: "") == nil)
        #expect(FieldShape(typeID: 200, capacity: 0, stringCapacity: 0, nestedTypeName: "") == nil)
        #expect("\(FieldShape(.builtin(.float64), count: .array(36)))" == "float64[36]")
    }

    @Test func `a difference is named`() throws {
        func description(_ text: String) throws -> TypeDescription {
            TypeDescription(
                type: try InterfaceDefinition(typeName: "a/msg/B", text: text).type,
                referenced: [try InterfaceDefinition(typeName: "a/msg/C", text: "bool x\n").type])
        }
        let ours = try description("string mode\nC c\n")
        #expect(ours.firstDifference(from: try description("string mode\nC c\n# other\n")) == nil)
        func difference(_ text: String) throws -> String? {
            try ours.firstDifference(from: description(text))?.description
        }
        #expect(
            try difference("wstring mode\nC c\n") == "a/msg/B: field 'mode' is 'string' in ours and 'wstring' in theirs"
        )
        #expect(
            try difference("string text\nC c\n") == "a/msg/B: field 1 is 'mode' in ours and 'text' in theirs")
        #expect(try difference("string mode\n") == "a/msg/B: field 'c' is missing in theirs")
        #expect(try difference("string mode\nC c\nbool d\n") == "a/msg/B: field 'd' is missing in ours")
        var inner = ours
        inner.referenced[0].fields[0].type = FieldShape(.builtin(.byte))
        #expect(
            ours.firstDifference(from: inner)?.description
                == "a/msg/C: field 'x' is 'bool' in ours and 'byte' in theirs")
        inner.referenced = []
        #expect(ours.firstDifference(from: inner)?.description == "a/msg/C: is missing in theirs")
    }

    @Test func `names have two forms`() throws {
        let name = try #require(ROS2TypeName("mrs_msgs/srv/Vec4"))
        #expect(name.ddsName == "mrs_msgs::srv::dds_::Vec4_")
        #expect(ROS2TypeName(dds: name.ddsName) == name)
        for other in ["mrs_msgs/Vec4", "mrs_msgs/msg/", "/msg/A", "a/idl/B", "a/msg/B/c", "1a/msg/B", "a/msg/B-c", ""] {
            #expect(ROS2TypeName(other) == nil, "\(other)")
        }
        for other in ["a::msg::dds_::B", "a:msg:dds_:B_", "a::msg::B_", "a::msg::dds_::_", "a::msg:::B_", "::::::"] {
            #expect(ROS2TypeName(dds: other) == nil, "\(other)")
        }
    }
}
