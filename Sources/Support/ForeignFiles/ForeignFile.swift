internal import TextSearch

/// A kind of file that other programs write, known by the first bytes of it, and not by its name.
package enum ForeignFile: String, Hashable, Sendable, CaseIterable {
    // Point clouds, meshes and terrain.
    case las = "a LAS file"
    case laz = "a LAZ file"
    case e57 = "an E57 file"
    case vtk = "a VTK file"
    case vtkXML = "a VTK file in XML"
    case obj = "an OBJ mesh"
    case textSTL = "an STL mesh in text"
    case binarySTL = "a binary STL mesh"
    case binaryOctoMap = "a binary OctoMap (.bt)"
    case octoMap = "an OctoMap (.ot)"
    case esriGrid = "an ESRI ASCII grid"
    case shapefile = "a shapefile"
    case off = "an OFF mesh"
    case dxf = "a DXF drawing"
    case glTF = "a glTF mesh (.glb)"
    case draco = "a Draco file"
    case fbx = "an FBX scene"
    case blender = "a Blender scene"
    case capture = "a network capture (pcap)"
    case livox = "a Livox recording"
    // Pictures.
    case png = "a PNG image"
    case jpeg = "a JPEG image"
    case tiff = "a TIFF image"
    // Compressed files and archives.
    case bzip2 = "compressed with bzip2"
    case gzip = "compressed with gzip"
    case xz = "compressed with xz"
    case zstd = "compressed with zstd"
    case zip = "a zip archive"
    case sevenZip = "a 7z archive"
    case rar = "a RAR archive"
    case tar = "a tar archive"
    // Recordings and tables.
    case rosBag = "a ROS bag"
    case mcap = "an MCAP recording"
    case hdf5 = "an HDF5 file"
    case sqlite = "an SQLite database"
    case numpy = "a NumPy array"
    case matlab = "a MATLAB file"
    case parquet = "a Parquet table"
    case pickle = "a pickle of Python"
    // Logs of flights.
    case garmin = "a Garmin FIT file"
    case uLog = "a PX4 log (ULog)"
    case dataFlash = "an ArduPilot log"
    case telemetryLog = "a MAVLink telemetry log"
    // Others.
    case pdf = "a PDF document"
    case office = "an old Office document"
    case elf = "a program (ELF)"
    case utf16 = "text in UTF-16"

    /// What the file is, for a sentence that begins with "is".
    package var name: String { rawValue }

    /// How many bytes at the beginning of a file are looked at.
    package static let headBytes = 4096

    /// The kind of a file; `nil` if it is none of these.
    ///
    /// - Parameters:
    ///   - head: the first ``headBytes`` of the file, or all of it.
    ///   - size: size of the file, bytes.
    package init?(head: [UInt8], size: Int) {
        guard let kind = Self.signed(head) ?? Self.placed(head) ?? Self.mesh(head, size) ?? Self.text(head) else {
            return nil
        }
        self = kind
    }

    /// Whether the beginning of a file is text: in UTF-8, or in an older encoding of ASCII and a few other characters.
    package static func isText(_ head: [UInt8]) -> Bool {
        // Tab, line ends, and what ends a text file of DOS.
        let controls: Set<UInt8> = [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1A]
        guard !head.contains(where: { ($0 < 0x20 && !controls.contains($0)) || $0 == 0x7F }) else { return false }
        if head.filter({ $0 >= 0x80 }).count <= head.count / 4 { return true }
        // The last character may be cut.
        return String(decoding: head, as: UTF8.self).unicodeScalars.filter { $0 == "\u{FFFD}" }.count <= 3
    }

    /// What begins with letters that nothing else begins with.
    private static let letters: [(kind: ForeignFile, start: String)] = [
        (.las, "LASF"), (.e57, "ASTM-E57"), (.vtk, "# vtk DataFile"), (.binaryOctoMap, "# Octomap OcTree binary"),
        (.octoMap, "# Octomap OcTree"), (.bzip2, "BZh"), (.rosBag, "#ROSBAG"), (.sqlite, "SQLite format 3"),
        (.pdf, "%PDF-"), (.glTF, "glTF"), (.draco, "DRACO"), (.fbx, "Kaydara FBX Binary"), (.livox, "livox_tech"),
        (.matlab, "MATLAB 5.0 MAT-file"), (.matlab, "MATLAB 7.3 MAT-file"), (.dxf, "AutoCAD Binary DXF"),
        (.blender, "BLENDER"), (.parquet, "PAR1"),
    ]

    /// The same for bytes that are no letters.
    private static let signatures: [(kind: ForeignFile, start: [UInt8])] = [
        (.shapefile, [0x00, 0x00, 0x27, 0x0A]), (.png, [0x89, 0x50, 0x4E, 0x47]), (.jpeg, [0xFF, 0xD8, 0xFF]),
        (.tiff, [0x49, 0x49, 0x2A, 0x00]), (.tiff, [0x4D, 0x4D, 0x00, 0x2A]), (.tiff, [0x49, 0x49, 0x2B, 0x00]),
        (.tiff, [0x4D, 0x4D, 0x00, 0x2B]), (.gzip, [0x1F, 0x8B]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        (.zstd, [0x28, 0xB5, 0x2F, 0xFD]), (.zip, [0x50, 0x4B, 0x03, 0x04]), (.zip, [0x50, 0x4B, 0x05, 0x06]),
        (.sevenZip, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]), (.rar, [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]),
        (.mcap, [0x89, 0x4D, 0x43, 0x41, 0x50]), (.hdf5, [0x89, 0x48, 0x44, 0x46]),
        (.numpy, [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]), (.elf, [0x7F, 0x45, 0x4C, 0x46]), (.utf16, [0xFF, 0xFE]),
        (.utf16, [0xFE, 0xFF]),
        // In either order of bytes, with microseconds or nanoseconds; the last one is pcapng.
        (.capture, [0xD4, 0xC3, 0xB2, 0xA1]), (.capture, [0xA1, 0xB2, 0xC3, 0xD4]),
        (.capture, [0x4D, 0x3C, 0xB2, 0xA1]), (.capture, [0xA1, 0xB2, 0x3C, 0x4D]),
        (.capture, [0x0A, 0x0D, 0x0D, 0x0A]), (.uLog, [0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35]),
        (.office, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1]),
        // Protocols 4 and 5; the earlier ones begin like other files.
        (.pickle, [0x80, 0x04, 0x95]), (.pickle, [0x80, 0x05, 0x95]),
        // The message that describes messages.
        (.dataFlash, [0xA3, 0x95, 0x80]),
    ]

    private static func signed(_ head: [UInt8]) -> Self? {
        let lettered = letters.first { head.starts(with: $0.start.utf8) }?.kind
        guard let kind = lettered ?? signatures.first(where: { head.starts(with: $0.start) })?.kind else { return nil }
        // The two highest bits of the point format mark compressed points.
        return kind == .las && head.count > 104 && head[104] & 0xC0 != 0 ? .laz : kind
    }

    /// What has its signature further back.
    private static func placed(_ head: [UInt8]) -> Self? {
        if head.dropFirst(8).starts(with: ".FIT".utf8) { return .garmin }
        if head.dropFirst(257).starts(with: "ustar".utf8) { return .tar }
        // A time in microseconds, of 1997 or later, before each message of MAVLink 1 or 2.
        let isTimed = head.count > 16 && head[0] == 0 && (3...8).contains(head[1])
        return isTimed && (head[8] == 0xFD || head[8] == 0xFE) ? .telemetryLog : nil
    }

    /// A binary STL file has no signature, but a size that follows from its number of triangles.
    private static func mesh(_ head: [UInt8], _ size: Int) -> Self? {
        guard head.count >= 84 else { return nil }
        let triangles = head[80..<84].reversed().reduce(0) { $0 << 8 | Int($1) }
        return triangles > 0 && size == 84 + 50 * triangles ? .binarySTL : nil
    }

    /// What is known by the first word of its first line, apart from comments.
    private static func text(_ head: [UInt8]) -> Self? {
        guard isText(head) else { return nil }
        let lines = head.split { $0 == 0x0A || $0 == 0x0D }
        for line in lines {
            let words = line.split { $0 == 0x20 || $0 == 0x09 }
            guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
            if first.first == UInt8(ascii: "<") {
                return String(decoding: head, as: UTF8.self).includes("<VTKFile") ? .vtkXML : nil
            }
            switch String(decoding: first, as: UTF8.self).lowercased() {
            case "ncols", "nrows": return words.count == 2 ? .esriGrid : nil
            case "solid": return .textSTL
            case "mtllib": return .obj
            case "off", "coff", "noff", "cnoff", "stoff": return .off
            // A group of DXF is a line with its code and one with its value.
            case "0": return words.count == 1 && lines.dropFirst().contains { isWord($0, "SECTION") } ? .dxf : nil
            case "999": return words.count == 1 && lines.contains { isWord($0, "SECTION") } ? .dxf : nil
            case "fmt,": return .dataFlash
            case "v", "vn", "vt", "o", "g", "s", "usemtl":
                return lines.contains(where: isVertex) ? .obj : nil
            default: return nil
            }
        }
        return nil
    }

    /// Whether a word is all of a line.
    private static func isWord(_ line: ArraySlice<UInt8>, _ word: String) -> Bool {
        line.drop { $0 == 0x20 }.elementsEqual(word.utf8)
    }

    /// Whether a line of an OBJ file is a vertex: `v` and three numbers or more.
    private static func isVertex(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split { $0 == 0x20 || $0 == 0x09 }
        return words.count >= 4 && words[0].elementsEqual("v".utf8)
            && words[1...3].allSatisfy { Double(String(decoding: $0, as: UTF8.self)) != nil }
    }
}
