import ForeignFiles
import Testing

@Suite struct ForeignFileTests {
    private static func kind(_ bytes: [UInt8], size: Int? = nil) -> ForeignFile? {
        ForeignFile(head: bytes, size: size ?? bytes.count)
    }

    @Test(
        arguments: [
            ("# vtk DataFile Version 3.0\nx\nASCII\n", .vtk),
            ("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">", .vtkXML), ("v 1 2 3\nv 4 5 6\n", .obj),
            ("# Blender\nmtllib a.mtl\no Cube\nv 1 2 3\n", .obj), ("# a\r\ng wall\r\nv 1.5 2e1 -3 1\r\n", .obj),
            ("solid x\n", .textSTL), ("# Octomap OcTree binary file\nid OcTree\n", .binaryOctoMap),
            ("# Octomap OcTree file\nid ColorOcTree\n", .octoMap), ("ncols 2\nnrows 2\n", .esriGrid),
            ("NCOLS        480\r\n", .esriGrid), ("LASF", .las), ("ASTM-E57", .e57), ("BZh91AY", .bzip2),
            ("OFF\n4 1 0\n0 0 0\n", .off), ("# a\nCOFF 4 1 0\n", .off), ("  0\nSECTION\n  2\nHEADER\n", .dxf),
            ("999\r\na program\r\n  0\r\nSECTION\r\n", .dxf), ("AutoCAD Binary DXF\r\n", .dxf),
            ("glTF\u{2}\u{0}", .glTF), ("DRACO\u{2}\u{2}\u{1}", .draco), ("Kaydara FBX Binary  \u{0}", .fbx),
            ("livox_tech\u{0}", .livox), ("MATLAB 5.0 MAT-file, Platform: GLNXA64", .matlab),
            ("FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns\n", .dataFlash),
            ("ULog\u{1}\u{12}5\u{1}", .uLog),
            ("#ROSBAG V2.0\n", .rosBag), ("%PDF-1.7\n", .pdf), ("BLENDER-v402", .blender), ("PAR1\u{15}", .parquet),
            ("SQLite format 3\u{0}", .sqlite),
        ] as [(String, ForeignFile)])
    func `texts and signatures of letters are known`(_ text: String, _ kind: ForeignFile) {
        #expect(Self.kind(Array(text.utf8)) == kind)
    }

    @Test(
        arguments: [
            ([0x00, 0x00, 0x27, 0x0A, 0, 0], .shapefile), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], .png),
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x49, 0x49, 0x2A, 0, 8], .tiff), ([0x4D, 0x4D, 0, 0x2A], .tiff),
            ([0x50, 0x4B, 3, 4], .zip), ([0x1F, 0x8B, 8], .gzip), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0], .sevenZip),
            ([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .hdf5), ([0x7F, 0x45, 0x4C, 0x46, 2, 1], .elf),
            ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0], .capture), ([0x0A, 0x0D, 0x0D, 0x0A, 0x1C, 0], .capture),
            ([0xA3, 0x95, 0x80, 0x80, 0x59], .dataFlash),
            ([14, 16, 0x28, 8, 1, 0, 0, 0, 0x2E, 0x46, 0x49, 0x54], .garmin),
            ([0, 6, 0x2C, 1, 2, 3, 4, 5, 0xFD, 9, 0, 0, 0, 1, 1, 0, 0], .telemetryLog),
            ([0, 6, 0x2C, 1, 2, 3, 4, 5, 0xFC, 9, 0, 0, 0, 1, 1, 0, 0], nil),
            ([UInt8](repeating: 0x61, count: 257) + Array("ustar".utf8), .tar),
            ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .office), ([0x80, 4, 0x95, 1], .pickle),
            ([0xFF, 0xFE, 0x31, 0], .utf16), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz),
        ] as [([UInt8], ForeignFile?)])
    func `signatures are known`(_ bytes: [UInt8], _ kind: ForeignFile?) {
        #expect(Self.kind(bytes) == kind)
    }

    @Test func `compressed LAS is distinguished from LAS`() {
        let header = Array("LASF".utf8) + [UInt8](repeating: 0, count: 100)
        #expect(Self.kind(header + [0x83]) == .laz)
        #expect(Self.kind(header + [0x03]) == .las)
    }

    @Test func `a binary STL file is known by its size`() {
        // Its header may begin like that of a text.
        let header = Array("solid of a program".utf8) + [UInt8](repeating: 0x20, count: 62)
        let file = header + [2, 0, 0, 0] + [UInt8](repeating: 0, count: 100)
        #expect(Self.kind(file) == .binarySTL)
        #expect(Self.kind(file, size: 185) == nil)
    }

    @Test(arguments: [
        "", "x y z\n1 2 3\n", "1 2 3\n", "VERSION .7\nFIELDS x y z\n", "ply\nformat ascii 1.0\n", "s,o,v\n1,2,3\n",
        "v x y z\n", "g 1 2\n", "ncols\n", "solids 1\n", "<gpx/>", "{\"type\": \"Point\"}", "QGC WPL 110\n",
        "# v 1 2 3\n1 2 3\n", "0\n", "0 1 2\nSECTION\n", "999\n1 2 3\n", "offset 1 2\n",
    ])
    func `other texts are not`(_ text: String) {
        #expect(Self.kind(Array(text.utf8)) == nil)
    }

    @Test func `text is distinguished from binary`() {
        #expect(ForeignFile.isText([]))
        #expect(ForeignFile.isText(Array("1 2 3\r\n\tHöhe\u{1A}".utf8)))
        #expect(ForeignFile.isText(Array("高度 经度 纬度 航向 高度 经度 纬度".utf8.dropLast())))
        // Latin-1.
        #expect(ForeignFile.isText(Array("# H".utf8) + [0xF6] + Array("he\n1 2 3\n".utf8)))
        #expect(!ForeignFile.isText([0x31, 0x20, 0]))
        #expect(!ForeignFile.isText([0x31, 0x1B, 0x5B]))
        #expect(!ForeignFile.isText([0xF7, 0xB3, 0xEC, 0x83, 0xF4, 0xEB, 0xB8, 0x40, 0xFC]))
    }
}
