import FuzzKit
import Geodesy
import RouteFiles

/// Any bytes as a background: what is read lies on earth, and what is wrong is reported in one line.
@main enum FuzzOSM: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        for name in ["fuzz.osm", "fuzz.geojson", "fuzz.osm.pbf"] {
            do throws(RouteFileError) {
                let found = try BackgroundReader.read(bytes, name: name)
                precondition(found.features.allSatisfy { !$0.places.isEmpty }, "a feature nowhere")
                for place in found.features.lazy.flatMap(\.places) {
                    do throws(GeodesyError) { try place.validate() } catch { preconditionFailure("\(error)") }
                }
            } catch {
                precondition(!error.description.contains { $0.isNewline }, "an error of more than one line")
            }
        }
    }
}
