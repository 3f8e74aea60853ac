import Geodesy
import RouteFiles
import Testing
import Trajectories

@Suite struct KMLTests {
    func kml(_ inner: String) -> String {
        "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><name>Map</name>\n\(inner)\n</Document></kml>"
    }

    func placemark(_ geometry: String) -> String { kml("<Placemark><name>p</name>\(geometry)</Placemark>") }

    @Test(arguments: [
        ("<Point><coordinates>14.5,50.1,300</coordinates></Point>", nil as RoutePoint.Altitude?),
        ("<Point><altitudeMode>clampToGround</altitudeMode><coordinates>14.5,50.1,300</coordinates></Point>", nil),
        ("<Point><coordinates>14.5,50.1</coordinates></Point>", nil),
        ("<Point><altitudeMode>absolute</altitudeMode><coordinates>14.5,50.1</coordinates></Point>", nil),
        (
            "<Point><altitudeMode>absolute</altitudeMode><coordinates>14.5,50.1,300</coordinates></Point>",
            .init(metres: 300, reference: .meanSeaLevel)
        ),
        (
            "<Point><coordinates>\n 14.5 , 50.1 , 7.5\t</coordinates><altitudeMode>relativeToGround</altitudeMode></Point>",
            .init(metres: 7.5, reference: .ground)
        ),
    ])
    func `what a height counts from is what the file says`(geometry: String, altitude: RoutePoint.Altitude?) throws {
        let point = try #require(try read(placemark(geometry), name: "a.kml").route.points.first)
        #expect(point.place == RouteSamples.place(50.1, 14.5))
        #expect(point.altitude == altitude)
        #expect(point.name == "p")
    }

    @Test func `lines, polygons, tracks and folders come in order`() throws {
        let found = try read(
            kml(
                """
                <Folder><Placemark><LineString><altitudeMode>absolute</altitudeMode><coordinates>1,2,3 4,5,6
                7,8</coordinates></LineString></Placemark></Folder>
                <Placemark><MultiGeometry><Polygon><outerBoundaryIs><LinearRing><coordinates>1,1,9 2,1,9 2,2,9 1,1,9</coordinates>
                </LinearRing></outerBoundaryIs><innerBoundaryIs><LinearRing><coordinates>1.1,1.1</coordinates></LinearRing>
                </innerBoundaryIs><altitudeMode>relativeToGround</altitudeMode></Polygon></MultiGeometry></Placemark>
                <Placemark><gx:Track xmlns:gx="g"><altitudeMode>absolute</altitudeMode><when>2020</when><gx:coord>1 2 3</gx:coord>
                <gx:coord>1.5 2.5 3.5</gx:coord></gx:Track></Placemark>
                <Placemark><name>empty</name></Placemark><NetworkLink><Link><href>http://example.org</href></Link></NetworkLink>
                """), name: "a.kml")
        #expect(found.route.name == "Map")
        #expect(found.route.points.map(\.altitude?.metres) == [3, 6, nil, 9, 9, 9, 9, 3, 3.5])
        #expect(found.route.points[4].altitude?.reference == .ground)
        #expect(found.notes.contains { $0.contains("holes") })
        #expect(found.notes.contains { $0.contains("without coordinates") })
        #expect(found.notes.contains { $0.contains("network link") })
    }

    @Test(arguments: [
        ("<Point><coordinates>14.5</coordinates></Point>", "line 3: coordinates: found one number alone"),
        ("<Point><coordinates>14.5,abc</coordinates></Point>", "line 3: coordinates: found 'abc', expected longitude"),
        ("<Point><coordinates>14.5,95</coordinates></Point>", "line 3: found latitude 95.0"),
        ("<Point><coordinates>1,2,3,4</coordinates></Point>", "line 3: coordinates: found '4'"),
        ("<Point><coordinates>1,2,</coordinates></Point>", "line 3: coordinates: found ''"),
        (
            "<Point><altitudeMode>high</altitudeMode><coordinates>1,2,3</coordinates></Point>",
            "altitudeMode: found 'high'"
        ),
        ("<Point><coordinates>1,2</Point>", "line 3: not well-formed XML: mismatched tag"),
        ("<Point><coordinates>", "not well-formed XML"), ("&bomb;", "not well-formed XML: undefined entity"),
        ("<Point><coordinates></coordinates></Point>", "the file has no points"),
    ])
    func `errors name file and line`(geometry: String, expected: String) {
        let said = problem(placemark(geometry), name: "a.kml")
        #expect(said.hasPrefix("a.kml"))
        #expect(said.contains(expected), "\(said)")
    }

    @Test(arguments: ["Placemark", "Folder", "Document"])
    func `a file may begin with a part of KML`(root: String) throws {
        let inner = "<Point><coordinates>14.5,50.1</coordinates></Point>"
        let text = root == "Placemark" ? inner : "<Placemark>\(inner)</Placemark>"
        let found = try read(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE kml>\n<\(root) id=\"a\">\(text)</\(root)>", name: "a.xml")
        #expect(found.route.points.map(\.place) == [RouteSamples.place(50.1, 14.5)])
    }

    @Test func `a document type that declares elements alone is accepted`() throws {
        let text = "<!DOCTYPE kml [<!ELEMENT kml ANY>]><kml><Placemark><Point><coordinates>14.5,50.1</coordinates>"
        #expect(try read(text + "</Point></Placemark></kml>", name: "a.kml").route.points.count == 1)
    }

    @Test func `entity bombs and outside entities are refused before they begin`() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE kml [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <kml>&b;</kml>
            """
        #expect(
            problem(bomb, name: "a.kml")
                == "a.kml, line 2: a document type declares an entity, which is refused: entities can expand without end"
        )
        let outside = "<!DOCTYPE kml SYSTEM \"file:///etc/passwd\"><kml>&a;</kml>"
        #expect(problem(outside, name: "a.kml").contains("an entity of the document type is used"))
    }

    @Test func `nesting, attributes and other files are refused`() {
        func nested(_ count: Int) -> String {
            "<kml>" + String(repeating: "<Folder>", count: count) + String(repeating: "</Folder>", count: count)
                + "</kml>"
        }
        #expect(problem(nested(63), name: "a.kml").contains("no point"))
        #expect(problem(nested(64), name: "a.kml").contains("more than 64 deep"))
        let attributes = (0..<65).map { "a\($0)=\"1\"" }.joined(separator: " ")
        #expect(problem("<kml \(attributes)/>", name: "a.kml").contains("more than 64 attributes"))
        #expect(problem("<html/>", name: "a.kml").contains("found the element 'html', expected kml"))
    }

    @Test func `an archive with another document name is read, one without is refused`() throws {
        let written = try RouteFiles.write(RouteSamples.globe, as: .kmz)
        #expect(written.bytes.starts(with: [0x50, 0x4B]))
        // The archive's own name for it, in both of its places.
        var renamed = written.bytes
        let name = Array("doc.kml".utf8)
        for index in renamed.indices where renamed[index...].starts(with: name) {
            renamed.replaceSubrange(index..<index + name.count, with: Array("map.KML".utf8))
        }
        #expect(try RouteFiles.read(renamed, name: "a.kmz").route == RouteSamples.globe)
        for index in renamed.indices where renamed[index...].starts(with: Array("map.KML".utf8)) {
            renamed.replaceSubrange(index..<index + name.count, with: Array("map.txt".utf8))
        }
        #expect(problem(renamed, name: "a.kmz").contains("no entry that ends with .kml"))
        // Spreadsheets are zip archives too.
        for index in renamed.indices where renamed[index...].starts(with: Array("map.txt".utf8)) {
            renamed.replaceSubrange(index..<index + name.count, with: Array("xl/.xml".utf8))
        }
        let said = problem(renamed, name: "a.xlsx")
        #expect(said.hasPrefix("a.xlsx: is a spreadsheet") && said.hasSuffix("save it as CSV"), "\(said)")
    }

    @Test(arguments: [
        ["doc.kml", "second.kml"], ["second.kml", "doc.kml"], ["doc.kml", "sub/second.KML", "images/a.png"],
    ])
    func `other documents of an archive are named`(_ names: [String]) throws {
        let place = { (name: String) in
            let longitude = name == "doc.kml" ? "14.5" : "14.6"
            return Array(self.placemark("<Point><coordinates>\(longitude),50.1,300</coordinates></Point>").utf8)
        }
        let read = try RouteFiles.read(StoredZip.archive(names.map { ($0, place($0)) }), name: "a.kmz")
        #expect(read.route.points.map(\.place) == [.geographic(.init(latitudeDegrees: 50.1, longitudeDegrees: 14.5))])
        let other = try #require(names.first { $0.lowercased().hasSuffix("second.kml") })
        #expect(read.notes.contains("'\(other)' is left out: of the archive only 'doc.kml' is read"), "\(read.notes)")
        let alone = try RouteFiles.read(StoredZip.archive([("doc.kml", place("doc.kml"))]), name: "a.kmz")
        #expect(alone.notes == read.notes.filter { !$0.contains("of the archive") })
    }

    @Test func `a damaged or cut archive is an error`() throws {
        let whole = try RouteFiles.write(RouteSamples.globe, as: .kmz).bytes
        for count in stride(from: 4, to: whole.count, by: 37) {
            #expect(problem(Array(whole[..<count]), name: "a.kmz").hasPrefix("a.kmz"))
        }
        var damaged = whole
        for index in 60..<120 { damaged[index] ^= 0xA5 }
        #expect(problem(damaged, name: "a.kmz").hasPrefix("a.kmz"))
    }

    @Test func `an archive that unpacks without end is stopped`() throws {
        let spaces = String(repeating: " ", count: 8 << 20)
        let huge = Route(name: spaces, points: RouteSamples.globe.points)
        let bytes = try RouteFiles.write(huge, as: .kmz).bytes
        #expect(bytes.count < 20_000)
        #expect(problem(bytes, name: "a.kmz").contains("decompresses to more than the limit of"))
    }
}
