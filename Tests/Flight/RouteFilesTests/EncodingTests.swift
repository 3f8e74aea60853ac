import RouteFiles
import Testing

/// Text in windows-1252 that does not say so.
@Suite struct EncodingTests {
    /// The text as windows-1252 and ISO 8859-1 have it.
    private static func western(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    static let kml =
        "<kml>\n<Placemark>\n<name>H\u{F6}he</name><Point><coordinates>8,47,5</coordinates></Point>\n</Placemark></kml>"
    static let gpx =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx>\r\n"
        + "<wpt lat=\"1\" lon=\"2\"><name>H\u{F6}he</name></wpt></gpx>"
    static let geoJSON =
        "{\"type\": \"Feature\",\n\"properties\": {},\n\"name\": \"H\u{F6}he\",\n"
        + "\"geometry\": {\"type\": \"Point\", \"coordinates\": [8, 47, 5]}}"

    @Test(arguments: [(kml, "a.kml"), (gpx, "a.gpx")])
    func `the line is named, with how to convert it`(text: String, name: String) {
        let said = problem(Self.western(text), name: name)
        #expect(said.hasPrefix("\(name), line 3: not UTF-8, probably windows-1252"), "\(said)")
        #expect(said.hasSuffix("iconv -f windows-1252 -t UTF-8 FILE"), "\(said)")
        #expect(problem(text, name: name).hasPrefix("read "))
    }

    @Test(arguments: [(geoJSON, "a.geojson"), ("# frame: local_origin\nx,y,z,name\n1,2,3,H\u{F6}he\n", "a.csv")])
    func `where only names are affected it is a note`(text: String, name: String) throws {
        let read = try RouteFiles.read(Self.western(text), name: name)
        #expect(read.notes.contains { $0.hasPrefix("line 3: not UTF-8, probably windows-1252") }, "\(read.notes)")
        let converted = try RouteFiles.read(Array(text.utf8), name: name)
        #expect(!converted.notes.contains { $0.contains("iconv") }, "\(converted.notes)")
    }

    @Test(arguments: ["GB2312", "Shift_JIS", "ISO-8859-15"])
    func `an encoding of XML that is not known is named, with how to convert it`(name: String) {
        let text = "<?xml version=\"1.0\" encoding='\(name)'?>\n<kml><name>H\u{F6}he</name></kml>"
        let said = problem(Self.western(text), name: "a.kml")
        #expect(said.hasPrefix("a.kml, line 1: the encoding \(name) is not known; expected UTF-8"), "\(said)")
        #expect(said.hasSuffix("iconv -f \(name) -t UTF-8 FILE | sed '1s/\(name)/UTF-8/' > NEW"), "\(said)")
    }

    @Test func `other errors stay what they are`() {
        let inUTF8 = problem("<kml>\n<name>H\u{F6}he</Folder></kml>", name: "a.kml")
        #expect(inUTF8.contains("mismatched tag"), "\(inUTF8)")
        let named = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n<kml><name>H\u{F6}he</Folder></kml>"
        let inWestern = problem(Self.western(named), name: "a.kml")
        #expect(inWestern.contains("mismatched tag"), "\(inWestern)")
    }
}
