internal import ForeignFiles

/// A file of another program that is known by its first bytes, and how to convert it.
struct ForeignCloud {
    /// What it is and what to do, for an error.
    let advice: String

    private static let expected = "expected PCD, PLY or XYZ"

    /// A file that is known to be something else; `nil` for all others.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let kind = ForeignFile(head: Array(bytes.prefix(ForeignFile.headBytes)), size: bytes.count) else {
            return nil
        }
        advice = Self.advice(kind)
    }

    /// What is said of a file that is not text, and begins like none of the formats.
    static func unknown(_ bytes: UnsafeRawBufferPointer, _ source: CloudSource) -> String? {
        if ForeignFile.isText(Array(bytes.prefix(ForeignFile.headBytes))) { return nil }
        let said = "is a binary file of an unknown kind; \(expected)"
        // Scans of KITTI and nuScenes: 32-bit numbers without a header, the latter with the ring.
        let columns = source.name.hasSuffix(".pcd.bin") ? 5 : 4
        guard source.name.hasSuffix(".bin"), bytes.count.isMultiple(of: 4 * columns) else { return said }
        return said + "; if it holds x, y, z and intensity: python3 -c \"import numpy; numpy.savetxt('map.xyz', "
            + "numpy.fromfile('FILE', 'f4').reshape(-1, \(columns))[:, :3])\""
    }

    private static func advice(_ kind: ForeignFile) -> String {
        switch kind {
        // Debian 12 has no PDAL, and its CloudCompare reads none of these. Verified with laspy 2.7 and pye57 0.4.
        case .las, .laz:
            convert(
                kind,
                "python3 -m venv las && las/bin/pip install 'laspy[lazrs]' && las/bin/python -c "
                    + "\"import laspy, numpy; numpy.savetxt('map.xyz', laspy.read('FILE').xyz, '%.4f')\"")
        case .e57:
            convert(
                kind,
                "python3 -m venv e57 && e57/bin/pip install pye57 && e57/bin/python -c "
                    + "\"import numpy, pye57; f = pye57.E57('FILE'); "
                    + "numpy.savetxt('map.xyz', numpy.hstack([list(f.read_scan(i, ignore_missing_fields=True).values()) "
                    + "for i in range(f.scan_count)]).T, '%.4f')\"")
        case .vtk: convert(kind, "pcl_vtk2pcd FILE map.pcd")
        case .vtkXML: convert(kind, "in ParaView, File > Save Data, as PLY")
        // Points on the faces: the corners alone would leave holes through which a path could be planned.
        case .obj: convert(kind, sampling("FILE"))
        case .off: convert(kind, "assimp export FILE mesh.obj; " + sampling("mesh.obj"))
        // Of faces the way by assimp lays the map on its side.
        case .dxf: convert(kind, "its points alone: ogr2ogr -f CSV -lco GEOMETRY=AS_XYZ map.csv FILE")
        case .draco: convert(kind, "draco_decoder -i FILE -o map.ply, and of a mesh also: " + sampling("map.ply"))
        // Their y axis usually points upwards; Blender turns them.
        case .glTF, .fbx, .blender: convert(kind, "open it in Blender, export it as mesh.ply; " + sampling("mesh.ply"))
        case .capture:
            convert(kind, "export a frame as CSV in VeloView, or in the viewer of the lidar's manufacturer")
        case .livox: convert(kind, "export it as CSV in Livox Viewer")
        case .textSTL, .binarySTL:
            convert(kind, "pcl_stl2ply FILE mesh.ply; " + sampling("mesh.ply"))
        case .binaryOctoMap, .octoMap: convert(kind, "octree2pointcloud FILE map.pcd")
        case .esriGrid: convert(kind, "gdal_translate -of XYZ FILE map.xyz")
        case .tiff: "is \(kind.name); \(expected); if it holds heights: gdal_translate -of XYZ FILE map.xyz"
        case .shapefile: convert(kind, "ogr2ogr -f CSV -lco GEOMETRY=AS_XYZ map.csv FILE")
        case .numpy:
            convert(kind, "python3 -c \"import numpy; numpy.savetxt('map.xyz', numpy.load('FILE')[:, :3])\"")
        case .matlab:
            convert(kind, "in Octave: load('FILE'); dlmwrite('map.xyz', NAME(:, 1:3), 'precision', '%.4f')")
        case .bzip2: run(kind, "bunzip2 FILE")
        case .gzip: run(kind, "gunzip FILE")
        case .xz: run(kind, "unxz FILE")
        case .zstd: run(kind, "unzstd FILE")
        case .zip: run(kind, "unzip FILE")
        case .sevenZip: run(kind, "7z x FILE")
        case .rar: run(kind, "unrar x FILE")
        case .tar: run(kind, "tar xf FILE")
        case .rosBag: run(kind, "rosrun pcl_ros bag_to_pcd FILE TOPIC DIRECTORY")
        case .utf16: "is \(kind.name); expected UTF-8; run: iconv -f UTF-16 -t UTF-8 FILE"
        case .mcap, .hdf5, .sqlite, .parquet, .pickle, .office:
            "is \(kind.name); \(expected); export its points as text, with x, y and z in each line"
        case .png, .jpeg, .pdf, .elf, .garmin, .uLog, .dataFlash, .telemetryLog:
            "is \(kind.name), which has no points; \(expected)"
        }
    }

    private static func sampling(_ mesh: String) -> String {
        "pcl_mesh_sampling -leaf_size 0.05 \(mesh) map.pcd"
    }

    private static func convert(_ kind: ForeignFile, _ command: String) -> String {
        "is \(kind.name), which cannot be read; \(expected); convert it, for example: \(command)"
    }

    private static func run(_ kind: ForeignFile, _ command: String) -> String {
        "is \(kind.name); \(expected); run: \(command)"
    }
}
