/// What a vehicle says about its own world: the world file of its flight stack, or as much of it as can be found out.
///
/// The vehicle's parameter `control_manager/world_config` has only the path of that file; no parameter has the border.
public struct VehicleWorld: Hashable, Sendable {
    /// What the bytes of a world are.
    public enum Source: UInt8, Hashable, Sendable, CaseIterable {
        /// The contents of the file that the flight stack has read.
        case file = 0
        /// The border that the flight stack shows as markers, in the layout of a world file; obstacles are not shown.
        case markers = 1
        /// The configuration of a simulated vehicle, which has no file.
        case simulation = 2
    }

    /// What is known.
    public enum Content: Hashable, Sendable {
        /// A world, in a layout of world files. The bytes are as the vehicle has them: whoever reads them must bound what they do.
        case document(Source, [UInt8])
        /// The world whose fingerprint was given with the question.
        case unchanged
        /// Nothing; ``obstruction`` says why.
        case unknown
    }

    /// Why the contents of the file are not known.
    public enum Obstruction: UInt8, Hashable, Sendable, CaseIterable {
        /// The vehicle names no file.
        case noParameter = 1
        /// The file is on another computer than the program that was asked.
        case elsewhere = 2
        /// There is no such file.
        case missing = 3
        /// The user of the program that was asked may not read it.
        case permissionDenied = 4
        /// It is a directory, a device or a pipe.
        case notAFile = 5
        /// It has more than ``mostBytes``.
        case tooLarge = 6
        /// Its contents are not those of a world file.
        case notAWorld = 7
        /// Another reason, which ``details`` has.
        case failed = 8
    }

    /// The path of the file on the vehicle, as the vehicle names it: untrusted text; empty if it names none.
    public var path: String
    /// What is known.
    public var content: Content
    /// Why the contents of the file are not known; `nil` if they are, or if there is no file (``Source/simulation``).
    public var obstruction: Obstruction?
    /// More about the obstruction, for a message: untrusted text, mostly empty.
    public var details: String

    /// The largest file that is sent, bytes; those of real fields have two thousand.
    public static let mostBytes = 1 << 20
    /// The longest path, bytes: that of Linux.
    public static let longestPath = 4096

    /// What a vehicle says.
    public init(path: String = "", _ content: Content, obstruction: Obstruction? = nil, details: String = "") {
        self.path = path
        self.content = content
        self.obstruction = obstruction
        self.details = details
    }

    /// A vehicle whose file cannot be read.
    public init(path: String = "", _ obstruction: Obstruction, details: String = "") {
        self.init(path: path, .unknown, obstruction: obstruction, details: details)
    }

    /// A hash of a world by which a change of it is noticed (FNV-1a, 64 bits); never 0, which stands for no world.
    public static func fingerprint(of source: Source, _ bytes: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        add(source.rawValue)
        for byte in bytes { add(byte) }
        return max(sum, 1)
    }

    /// The same without the bytes if they are those that are known already.
    ///
    /// - Parameter known: their fingerprint; 0: none are known.
    public func without(known: UInt64) -> Self {
        guard case .document(let source, let bytes) = content, known != 0,
            Self.fingerprint(of: source, bytes) == known
        else { return self }
        var world = self
        world.content = .unchanged
        return world
    }

    /// Whether bytes may be those of a world file: they name an origin or a safety area.
    ///
    /// The path of the file is a parameter that any program of the ROS graph can set, so nothing else is sent that it may name.
    public static func isWorld(_ bytes: [UInt8]) -> Bool {
        ["world_origin", "utm_origin", "safety_area"].contains { occurs(Array($0.utf8), in: bytes) }
    }

    private static func occurs(_ word: [UInt8], in bytes: [UInt8]) -> Bool {
        guard let first = word.first, bytes.count >= word.count else { return false }
        return (0...bytes.count - word.count).contains { start in
            bytes[start] == first && bytes[start...].starts(with: word)
        }
    }

    /// Why the contents of the file are not known, in one line that is safe to show; `nil` if they are.
    public var reason: String? {
        let file = "the vehicle's world file \(path.sanitizedLine)"
        let more = details.isEmpty ? "" : " (\(details.sanitizedLine))"
        return switch obstruction {
        case nil: nil
        case .noParameter: "the vehicle names no world file (parameter control_manager/world_config)"
        case .elsewhere: "\(file) is not on the computer that would read it\(more)"
        case .missing: "\(file) does not exist\(more)"
        case .permissionDenied: "\(file) may not be read by the user of this link\(more)"
        case .notAFile: "\(file) is not a regular file\(more)"
        case .tooLarge: "\(file) has more than \(Self.mostBytes) bytes\(more)"
        case .notAWorld: "\(file) is none: it names neither an origin nor a safety area\(more)"
        case .failed: "\(file) cannot be read\(more)"
        }
    }
}
