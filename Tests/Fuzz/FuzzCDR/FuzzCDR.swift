import FuzzKit
import MRSMessagesROS2
import ROS2
import ROS2Interfaces

/// Any bytes as any message of ROS 2: the first chooses the type. What is read is written to bytes that read as the same again, and
/// the decoder that works by the description takes as many bytes as the generated one, or refuses with it.
@main enum FuzzCDR: FuzzTarget {
    private static let types = GeneratedROS2Types.messages + GeneratedInterfaces.messages
    private static let decoders = types.map { type in
        (try? type.ros2Description()).flatMap { try? CDRDynamicDecoder($0) }
    }

    static func test(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let index = Int(choice) % types.count
        check(types[index], Array(bytes.dropFirst()), decoders[index])
    }

    private static func check(_ type: (some ROS2Message).Type, _ bytes: [UInt8], _ decoder: CDRDynamicDecoder?) {
        guard let decoder else { preconditionFailure("the definition of \(type.ros2TypeName) is wrong") }
        let dynamic = try? decoder.decode(bytes)
        guard var reader = try? CDRReader(bytes), let message = try? type.init(from: &reader) else {
            precondition(dynamic == nil, "only one decoder takes a \(type.ros2TypeName)")
            return
        }
        precondition(dynamic?.size == reader.offset, "two decoders take different sizes of a \(type.ros2TypeName)")
        if let description = message as? TypeDescriptionInterfaces.TypeDescription { check(description, bytes) }
        // Repaired text and booleans that were neither 0 nor 1 are written otherwise; what is written stays as it is.
        let written = message.cdr
        let again = (try? type.init(cdr: written))?.cdr
        precondition(again == written, "a \(type.ros2TypeName) changes when it is written again")
    }

    /// A description that a node answered: what it describes decodes these bytes or refuses them.
    private static func check(_ message: TypeDescriptionInterfaces.TypeDescription, _ bytes: [UInt8]) {
        guard let description = try? TypeDescription(message) else { return }
        _ = description.hash
        _ = description.firstDifference(from: TypeDescription(type: description.type))
        precondition(description.firstDifference(from: description) == nil, "a description differs from itself")
        guard let decoder = try? CDRDynamicDecoder(description) else { return }
        _ = try? decoder.decode(bytes)
    }
}
