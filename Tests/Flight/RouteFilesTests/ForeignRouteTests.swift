import RouteFiles
import Testing

/// Files that are no routes are named, with what to do.
@Suite struct ForeignRouteTests {
    @Test(arguments: [
        ("# vtk DataFile Version 3.0\nx\n", "is a VTK file, which has no route; expected .geojson, .kml"),
        ("v 1 2 3\n", "is an OBJ mesh"), ("ncols 2\nnrows 2\n", "is an ESRI ASCII grid"),
        ("# .PCD v0.7\n", "is a point cloud, which has no route"), ("ply\nformat", "'uavlink map' reads it"),
        ("%PDF-1.7", "is a PDF document"), ("BZh91AY", "is compressed with bzip2"),
        ("FMT, 128, 89, FMT, BBnNZ, Type,Length\n", "mav/bin/mavtogpx.py FILE"),
        ("\u{1B}[31m\u{0}", "is a binary file of an unknown kind"),
    ])
    func `whatever the name says`(text: String, expected: String) {
        for name in ["a.csv", "a.txt", "a"] {
            let said = problem(text, name: name)
            #expect(said.hasPrefix(name + ": is ") && said.contains(expected), "\(said)")
        }
    }

    @Test(
        arguments: [
            ([0x00, 0x00, 0x27, 0x0A, 0, 0], "is a shapefile, which cannot be read"),
            ([0x1F, 0x8B, 8], "run: gunzip FILE"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "is a JPEG image"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "run: 7z x FILE"),
            ([14, 16, 0x28, 8, 1, 0, 0, 0, 0x2E, 0x46, 0x49, 0x54], "gpsbabel -i garmin_fit -f FILE -o gpx"),
            ([0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 1], "ulog/bin/ulog2kml FILE"),
            ([0xA3, 0x95, 0x80, 0x80, 0x59], "is an ArduPilot log, which cannot be read"),
            ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0], "is a network capture (pcap), which has no route"),
            ([0xFF, 0xFE, 0x31, 0x00], "is text in UTF-16"),
        ] as [([UInt8], String)])
    func `binary files too`(bytes: [UInt8], expected: String) {
        for name in ["a.csv", "a.plan", "a"] {
            let said = problem(bytes, name: name)
            #expect(said.hasPrefix(name + ": is ") && said.contains(expected), "\(said)")
        }
    }

    @Test func `all that is read is named where nothing is known`() {
        let said = problem("hello", name: "a.doc")
        #expect(
            said.hasPrefix("a.doc: unknown file format") && said.hasSuffix(".txt, .json, .waypoints, .mission"),
            "\(said)")
    }
}
