import PointCloud
import Testing

/// Files that are not what they say: each error names the place, and none costs memory that the file does not have.
@Suite struct PCDErrorTests {
    @Test(arguments: [
        (
            "VERSION 0.8\nFIELDS x y z\nWIDTH 1\nDATA ascii\n1 2 3\n",
            "a.pcd, line 1: VERSION is '0.8'; supported are 0.5 to 0.7"
        ),
        ("VERSION 0.7\nFIELDS x y\nWIDTH 1\nDATA ascii\n1 2\n", "a.pcd: FIELDS has no 'z', only 'x y'"),
        ("FIELDS x y z x\nWIDTH 1\nDATA ascii\n1 2 3 4\n", "a.pcd: FIELDS has 'x' 2 times"),
        ("FIELDS x y z\nCOUNT 1 2 1\nWIDTH 1\nDATA ascii\n1 2 3 4\n", "a.pcd: COUNT of field 'y' is 2; expected 1"),
        (
            "FIELDS x y z\nCOUNT 1 0 1\nWIDTH 1\nDATA ascii\n1 3\n",
            "line 2: COUNT of field 'y' is 0; expected 1 to 1048576"
        ),
        ("FIELDS x y z\nSIZE 4 4\nWIDTH 1\nDATA ascii\n1 2 3\n", "a.pcd, line 2: SIZE has 2 entries; FIELDS has 3"),
        ("FIELDS x y z\nTYPE F F\nWIDTH 1\nDATA ascii\n1 2 3\n", "a.pcd, line 2: TYPE has 2 entries; FIELDS has 3"),
        ("FIELDS x y z\nSIZE 4 2 4\nTYPE F F F\nWIDTH 1\nDATA ascii\n", "line 3: field 'y' has TYPE 'F' and SIZE 2"),
        ("FIELDS x y z\nWIDTH 2\nHEIGHT 2\nPOINTS 3\nDATA ascii\n", "line 4: POINTS is 3; WIDTH 2 times HEIGHT 2 is 4"),
        ("FIELDS x y z\nWIDTH many\nDATA ascii\n", "a.pcd, line 2: WIDTH has 'many'; expected a non-negative integer"),
        ("FIELDS x y z\nWIDTH -1\nDATA ascii\n", "a.pcd, line 2: WIDTH has '-1'; expected a non-negative integer"),
        ("FIELDS x y z\nDATA ascii\n", "a.pcd: the header has neither WIDTH nor POINTS"),
        ("VERSION 0.7\nWIDTH 1\nDATA ascii\n", "a.pcd: the header has no FIELDS"),
        (
            "FIELDS x y z\nWIDTH 1\nDATA zipped\n",
            "line 3: DATA is 'zipped'; expected ascii, binary or binary_compressed"
        ),
        ("FIELDS x y z\nWIDTH 1\nWIDTH 1\n", "a.pcd, line 3: duplicate WIDTH"),
        ("FIELDS x y z\nWIDTH\n", "a.pcd, line 2: WIDTH has no value"),
        ("FIELDS x y z\nCOLOUR 1\n", "line 2: expected a PCD header keyword, found 'COLOUR 1'"),
        ("FIELDS x y z\nWIDTH 1\n", "a.pcd: ends before the DATA line of the PCD header"),
        ("FIELDS x y z\nWIDTH 1\nVIEWPOINT 0 0 0\nDATA ascii\n", "line 3: VIEWPOINT has 3 numbers; expected 7"),
        (
            "FIELDS x y z\nWIDTH 1\nVIEWPOINT 0 0 up 1 0 0 0\nDATA ascii\n",
            "line 3: VIEWPOINT has 'up'; expected a number"
        ),
        ("FIELDS x y z\nWIDTH 2\nDATA ascii\n1 2 3\n", "a.pcd: ends after 1 of 2 points"),
        ("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 2 3\n4 5 6\n", "line 5: more than the 1 points declared in the header"),
        ("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 2\n", "a.pcd, line 4: expected a number, found nothing"),
        ("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 2 3 4\n", "a.pcd, line 4: '4' after the 3 values of a point"),
        ("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 two 3\n", "a.pcd, line 4: expected a number, found 'two'"),
        ("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 0x10 3\n", "a.pcd, line 4: expected a number, found '0x10'"),
        ("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 2e 3\n", "a.pcd, line 4: expected a number, found '2e'"),
        ("FIELDS x y z\nWIDTH 1\nDATA binary\n1 2 3\n", "ends after 0 of 1 points of 12 bytes"),
        ("FIELDS x y z\nWIDTH 1\nDATA binary_compressed\n1 2", "ends before the sizes of the compressed points"),
        ("FIELDS x y z\nWIDTH 1\nDATA binary_compressed\n1 2 3 4 5 6", "bytes of compressed points"),
        ("", "a.pcd: is empty"),
        ("# only\n# comments\n", "a.pcd: has only comments in its first 18 bytes; expected PCD, PLY or XYZ"),
    ])
    func `each names the place`(_ text: String, _ expected: String) {
        let error = Fixture.error(text)
        #expect(error.contains(expected), "\(error)")
    }

    @Test(
        arguments: [
            (Array("LASF".utf8), "a.pcd: is a LAS file, which cannot be read; expected PCD, PLY or XYZ; convert it"),
            (
                Array("LASF".utf8) + [UInt8](repeating: 0, count: 100) + [0x83],
                "a.pcd: is a LAZ file, which cannot be read; expected PCD, PLY or XYZ; convert it, for example: python3 -m venv las && las/bin/pip install 'laspy[lazrs]' && las/bin/python -c"
            ),
            (
                Array("ASTM-E57".utf8),
                "a.pcd: is an E57 file, which cannot be read; expected PCD, PLY or XYZ; convert it, for example: python3 -m venv e57 && e57/bin/pip install pye57 && e57/bin/python -c"
            ),
            (Array("BZh91AY".utf8), "a.pcd: is compressed with bzip2; expected PCD, PLY or XYZ; run: bunzip2 FILE"),
            ([0x1F, 0x8B, 8], "is compressed with gzip"), ([0x50, 0x4B, 3, 4], "is a zip archive"),
            (Array("# vtk DataFile Version 3.0\nx\nASCII\n".utf8), "is a VTK file, which cannot be read; expected PCD"),
            (Array("v 1 2 3\nv 4 5 6\n".utf8), "is an OBJ mesh, which cannot be read"),
            (Array("solid x\n".utf8), "is an STL mesh in text, which cannot be read"),
            (Array("# Octomap OcTree binary file\nid OcTree\n".utf8), "for example: octree2pointcloud FILE map.pcd"),
            (Array("ncols 2\nnrows 2\n".utf8), "for example: gdal_translate -of XYZ FILE map.xyz"),
            ([0, 0, 0x27, 0x0A, 0, 0, 0, 0], "is a shapefile, which cannot be read"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "is a JPEG image, which has no points"), ([0x7F, 0x45, 0x4C, 0x46], "ELF"),
            (Array("OFF\n4 1 0\n".utf8), "assimp export FILE mesh.obj; pcl_mesh_sampling -leaf_size"),
            (Array("  0\nSECTION\n".utf8), "is a DXF drawing, which cannot be read"),
            ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0], "export a frame as CSV in VeloView"),
            (Array("glTF".utf8) + [2, 0], "open it in Blender"),
            (Array("ULog".utf8) + [1, 0x12, 0x35], "has no points"),
            (
                [0xF7, 0xB3, 0x1B, 0x75, 0x59, 0xEC, 0x83, 0xF4],
                "is a binary file of an unknown kind; expected PCD, PLY or XYZ"
            ),
            (Array("# a comment\n".utf8) + [0, 1, 2], "is a binary file of an unknown kind"),
            (Array("#ROSBAG V2.0\n".utf8), "is a ROS bag"), ([0xFF, 0xFE, 0x31, 0], "is text in UTF-16"),
        ] as [([UInt8], String)])
    func `other formats are named, with how to convert them`(_ bytes: [UInt8], _ expected: String) {
        let error = Fixture.error(bytes)
        #expect(error.hasPrefix("a.pcd: is ") && error.contains(expected), "\(error)")
    }

    @Test(
        arguments: [
            ("0001.dat", 32, nil), ("0001.bin", 32, 4), ("0001.bin", 33, nil), ("a.pcd.bin", 40, 5),
        ] as [(String, Int, Int?)])
    func `a scan without a header is read by NumPy`(_ name: String, _ size: Int, _ columns: Int?) {
        let bytes = [UInt8](repeating: 0xF7, count: size)
        let error = #expect(throws: PointCloudError.self) { try CloudReader.read(bytes, source: name) }
        let said = error?.description ?? ""
        #expect(said.contains("is a binary file of an unknown kind"))
        #expect(said.contains("reshape(-1, ") == (columns != nil))
        if let columns { #expect(said.contains("numpy.fromfile('FILE', 'f4').reshape(-1, \(columns))[:, :3]")) }
    }

    @Test func `binary where text was promised is reported with its line`() {
        let error = Fixture.error(Fixture.pcd(data: "ascii", body: Fixture.floats(1.1, 2.2, 3.3, 4.4, 5.5, 6.6)))
        #expect(error.contains("line 12: expected a number, found '"))
        #expect(!error.contains { $0.isNewline })
    }

    @Test(arguments: ["ascii", "binary", "binary_compressed"])
    func `huge counts in a short file take no memory`(_ data: String) {
        for width in ["50000000", "50000001", "9223372036854775807", "9223372036854775808"] {
            let file = Fixture.pcd(
                width: width, points: nil, data: data, body: Fixture.bytes([UInt32(2), UInt32.max]) + [0, 1])
            #expect(!Fixture.error(file).isEmpty)
        }
        let wide = Fixture.pcd(width: "4294967296", height: "4294967296", points: nil, data: data)
        #expect(Fixture.error(wide).contains("WIDTH 4294967296 times HEIGHT 4294967296 is too large"))
    }

    @Test func `packed bytes that cannot hold so much are refused before memory is taken`() {
        let (count, packed) = (40_000_000, [UInt8](repeating: 0xFF, count: 100))
        let file = Fixture.pcd(
            width: "\(count)", points: nil, data: "binary_compressed",
            body: Fixture.bytes([UInt32(packed.count), UInt32(12 * count)]) + packed)
        #expect(Fixture.error(file).contains("100 compressed bytes cannot expand to 480000000"))
        let damaged = Fixture.pcd(
            data: "binary_compressed", body: Fixture.bytes([UInt32(2), UInt32(24)]) + [0xFF, 0xFF])
        #expect(Fixture.error(damaged).contains("corrupt"))
        let wrong = Fixture.pcd(data: "binary_compressed", body: Fixture.bytes([UInt32(2), UInt32(25)]) + [0, 0])
        #expect(Fixture.error(wrong).contains("25 bytes of points; the header declares 24"))
    }

    @Test func `limits hold at the limit and one past`() {
        let file = Fixture.pcd(data: "ascii", body: Array("1 2 3\n4 5 6\n".utf8))
        #expect(Fixture.error(file, limits: CloudLimits(points: 2)).isEmpty)
        #expect(Fixture.error(file, limits: CloudLimits(points: 1)) == "a.pcd: 2 points; the limit is 1")
        #expect(Fixture.error(file, limits: CloudLimits(fileBytes: file.count)).isEmpty)
        #expect(Fixture.error(file, limits: CloudLimits(fileBytes: file.count - 1)).contains("the limit is"))
        func fields(_ count: Int) -> [UInt8] {
            let names = "x y z" + String(repeating: " a", count: count - 3)
            return Fixture.pcd(
                fields: names, size: nil, type: nil, count: nil, width: "1", points: nil, data: "ascii",
                body: Array(String(repeating: "1 ", count: count).utf8))
        }
        #expect(Fixture.error(fields(1024)).isEmpty)
        #expect(Fixture.error(fields(1025)).contains("1025 FIELDS; the limit is 1024"))
        let head = Array("FIELDS x y z\nWIDTH 1\n".utf8)
        #expect(
            Fixture.error(head + Array(repeating: 0x0A, count: 1 << 17))
                == "a.pcd: no DATA line in the first 65536 bytes")
        let line = Array("FIELDS x y z\nWIDTH 1\nDATA ascii\n1 2".utf8)
        func long(_ blanks: Int) -> [UInt8] { line + Array(repeating: 0x20, count: blanks) + Array("3\n".utf8) }
        #expect(Fixture.error(long(65532)).isEmpty)
        #expect(Fixture.error(long(65533)) == "a.pcd, line 4: a line of 65537 bytes; the limit is 65536")
    }

    @Test func `control characters of a file do not reach the terminal`() {
        #expect(!Fixture.error("FIELDS x y z\nWIDTH \u{1B}[2J\n").contains("\u{1B}"))
    }
}
