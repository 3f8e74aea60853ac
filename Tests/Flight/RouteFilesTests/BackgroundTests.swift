import Geodesy
import RouteFiles
import Testing

@Suite struct BackgroundTests {
    func features(_ text: String, name: String = "a.osm") throws -> MapFeatures {
        try BackgroundReader.read(Array(text.utf8), name: name)
    }

    func refusal(_ text: String, name: String = "a.osm") -> String {
        do throws(RouteFileError) {
            return "read \(try BackgroundReader.read(Array(text.utf8), name: name))"
        } catch { return error.description }
    }

    @Test func `an extract's ways and towers are found with what they are`() throws {
        let found = try features(
            """
            <?xml version="1.0"?><osm version="0.6"><bounds minlat="1"/>
            <node id="1" lat="50.0" lon="14.0"/><node id="2" lat="50.1" lon="14.0"/><node id="3" lat="50.1" lon="14.1"/>
            <node id="-4" lat="50.2" lon="14.2"><tag k="man_made" v="mast"/><tag k="name" v="Cukrák"/></node>
            <node id="5" lat="1" lon="1"><tag k="amenity" v="bench"/></node>
            <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="99"/><tag k="highway" v="track"/></way>
            <way id="11"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/><tag k="building" v="yes"/><tag k="name" v="Barn"/></way>
            <way id="12"><nd ref="1"/><nd ref="2"/></way>
            <way id="13"><nd ref="1"/><nd ref="3"/><tag k="power" v="line"/></way>
            <relation id="20"><member type="way" ref="10"/><tag k="type" v="multipolygon"/></relation></osm>
            """)
        #expect(found.features.map(\.kind) == [.tower, .path, .building, .power])
        #expect(found.features.map(\.isArea) == [false, false, true, false])
        #expect(found.features.map(\.places.count) == [1, 2, 4, 2])
        #expect(found.features[2].name == "Barn")
        #expect(found.notes.contains { $0.contains("relations") })
        #expect(found.notes.contains { $0.contains("1 nodes") })
        #expect(found.bounds?.northEast == .init(latitudeDegrees: 50.2, longitudeDegrees: 14.2))
    }

    @Test func `GeoJSON serves too, by the same tags or by kind`() throws {
        let found = try features(
            """
            {"type": "FeatureCollection", "features": [
             {"type": "Feature", "properties": {"highway": "primary"}, "geometry": {"type": "LineString", "coordinates": [[14, 50], [15, 50]]}},
             {"type": "Feature", "properties": {"kind": "water"}, "geometry": {"type": "MultiPolygon", "coordinates": [[[[1,1],[2,1],[2,2],[1,1]]]]}},
             {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [14, 50, 7]}}]}
            """, name: "a.geojson")
        #expect(found.features.map(\.kind) == [.road, .water, .other])
        #expect(found.features.map(\.isArea) == [false, true, false])
    }

    @Test(arguments: [
        ("<osm><node id=\"1\" lat=\"1\"/></osm>", "line 1: a node lacks id, lat or lon"),
        ("<osm><node id=\"1\" lat=\"95\" lon=\"1\"/></osm>", "line 1: found latitude 95.0"),
        ("<osm><way><nd ref=\"x\"/></way></osm>", "line 1: a node of a way has no ref"),
        ("<kml/>", "found the element 'kml', expected osm"), ("<osm><way>", "not well-formed XML"),
        ("<!DOCTYPE osm [<!ENTITY a \"b\">]><osm/>", "a document type declares an entity"),
    ])
    func `errors name file and line`(text: String, expected: String) {
        let said = refusal(text)
        #expect(said.hasPrefix("a.osm"))
        #expect(said.contains(expected), "\(said)")
    }

    @Test func `a way may have 2000 corners and not one more`() throws {
        func way(_ count: Int) -> String {
            "<osm><node id=\"1\" lat=\"1\" lon=\"1\"/><way>" + String(repeating: "<nd ref=\"1\"/>", count: count)
                + "<tag k=\"highway\" v=\"road\"/></way></osm>"
        }
        #expect(try features(way(2000)).features.first?.places.count == 2000)
        #expect(refusal(way(2001)).contains("more than 2000 corners"))
    }
}
