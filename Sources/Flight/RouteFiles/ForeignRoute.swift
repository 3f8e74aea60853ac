internal import ForeignFiles

/// A file that is known by its first bytes to be no route, and what to do with it.
struct ForeignRoute {
    /// What it is and what to do, for an error.
    let advice: String

    /// - Parameter format: what it would be read as; `nil` if that is not known.
    init?(_ bytes: [UInt8], _ format: RouteFormat?) {
        let head = Array(bytes.prefix(ForeignFile.headBytes))
        if head.starts(with: "# .PCD".utf8) || head.starts(with: "ply\n".utf8) || head.starts(with: "ply\r".utf8) {
            advice = "is a point cloud, which has no route; \(Self.expected); 'uavlink map' reads it"
        } else if let kind = ForeignFile(head: head, size: bytes.count) {
            guard let advice = Self.advice(kind, format) else { return nil }
            self.advice = advice
        } else if !Self.mayBeBinary(format, head), !ForeignFile.isText(head) {
            advice = "is a binary file of an unknown kind; \(Self.expected)"
        } else {
            return nil
        }
    }

    private static let expected = "expected \(RouteFormat.readNames)"

    /// XML has its own encodings, and JSON names what is wrong with a character.
    private static func mayBeBinary(_ format: RouteFormat?, _ head: [UInt8]) -> Bool {
        switch format {
        case .kml, .kmz, .gpx: true
        case .geoJSON, .plan: head.first == UInt8(ascii: "{")
        case .csv, .mrs, nil: false
        }
    }

    private static func advice(_ kind: ForeignFile, _ format: RouteFormat?) -> String? {
        switch kind {
        case .zip: format == .kmz ? nil : "is \(kind.name); \(expected); run: unzip FILE"
        case .utf16:
            format == .kml || format == .gpx
                ? nil : "is \(kind.name); expected UTF-8; run: iconv -f UTF-16 -t UTF-8 FILE"
        case .bzip2: "is \(kind.name); \(expected); run: bunzip2 FILE"
        case .gzip: "is \(kind.name); \(expected); run: gunzip FILE"
        case .xz: "is \(kind.name); \(expected); run: unxz FILE"
        case .zstd: "is \(kind.name); \(expected); run: unzstd FILE"
        case .sevenZip: "is \(kind.name); \(expected); run: 7z x FILE"
        case .rar: "is \(kind.name); \(expected); run: unrar x FILE"
        case .tar: "is \(kind.name); \(expected); run: tar xf FILE"
        case .shapefile: convert(kind, "ogr2ogr -f GeoJSON route.geojson FILE")
        case .sqlite:
            "is \(kind.name), which cannot be read; \(expected); if it is a GeoPackage, convert it, for example: "
                + "ogr2ogr -f GeoJSON route.geojson FILE"
        case .dxf: convert(kind, "ogr2ogr -f GeoJSON -s_srs EPSG:CODE -t_srs EPSG:4326 route.geojson FILE")
        case .garmin: convert(kind, "gpsbabel -i garmin_fit -f FILE -o gpx -F track.gpx")
        // Verified with the entry points of pyulog 1.3 and pymavlink 2.4.50.
        case .uLog:
            convert(kind, "python3 -m venv ulog && ulog/bin/pip install pyulog simplekml && ulog/bin/ulog2kml FILE")
        case .dataFlash, .telemetryLog:
            convert(kind, "python3 -m venv mav && mav/bin/pip install pymavlink && mav/bin/mavtogpx.py FILE")
        case .office, .parquet: "is \(kind.name), which cannot be read; \(expected); save it as CSV"
        case .las, .laz, .e57, .vtk, .vtkXML, .obj, .textSTL, .binarySTL, .binaryOctoMap, .octoMap, .esriGrid, .png,
            .jpeg, .tiff, .rosBag, .mcap, .hdf5, .numpy, .pdf, .elf, .off, .glTF, .draco, .fbx, .capture, .livox,
            .matlab, .blender, .pickle:
            "is \(kind.name), which has no route; \(expected)"
        }
    }

    private static func convert(_ kind: ForeignFile, _ command: String) -> String {
        "is \(kind.name), which cannot be read; \(expected); convert it, for example: \(command)"
    }
}
