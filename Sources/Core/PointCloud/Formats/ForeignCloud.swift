/// A file of another program that is known by its first bytes, and how to convert it.
struct ForeignCloud {
    /// What it is and what to do, for an error.
    let advice: String

    init?(_ bytes: UnsafeRawBufferPointer) {
        func begins(_ text: String) -> Bool { bytes.starts(with: Array(text.utf8)) }
        func convert(_ what: String, _ command: String) -> String {
            "is \(what), which cannot be read; expected PCD, PLY or XYZ; convert it, for example: \(command)"
        }
        if begins("LASF") {
            // The two highest bits of the point format mark compressed points.
            let isCompressed = bytes.count > 104 && bytes[104] & 0xC0 != 0
            advice = convert(isCompressed ? "a LAZ file" : "a LAS file", "pdal translate FILE map.ply")
        } else if begins("ASTM-E57") {
            advice = convert("an E57 file", "pdal translate FILE map.ply")
        } else if begins("BZh") {
            advice = "is compressed with bzip2; expected PCD, PLY or XYZ; run: bunzip2 FILE"
        } else if bytes.starts(with: [0x1F, 0x8B]) {
            advice = "is compressed with gzip; expected PCD, PLY or XYZ; run: gunzip FILE"
        } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            advice = "is a zip archive; expected PCD, PLY or XYZ; run: unzip FILE"
        } else if begins("#ROSBAG") {
            advice = "is a ROS bag; expected PCD, PLY or XYZ; run: rosrun pcl_ros bag_to_pcd FILE TOPIC DIRECTORY"
        } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            advice = "is text in UTF-16; expected UTF-8; run: iconv -f UTF-16 -t UTF-8 FILE"
        } else {
            return nil
        }
    }
}
