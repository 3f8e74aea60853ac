package import ROSMessages
internal import SystemKit
internal import YAML

/// The folder of a bag of ROS 2: `metadata.yaml` and the files that it names.
package enum RecordingFolder {
    /// The name of the file that describes the bag.
    package static let metadataName = "metadata.yaml"
    /// The most files of a bag; each has a minute or so of a long recording.
    package static let maximumFiles = 10_000

    private static let maximumMetadataBytes = 4 << 20

    /// The files to read of a recording, in order: those of a folder, or the file itself; blocks.
    ///
    /// - Throws: `ROSError` with `badBag` when a folder is no bag of ROS 2, or one that cannot be read.
    package static func files(at path: String) throws(ROSError) -> [String] {
        guard Folder.exists(path) else { return [path] }
        let text: [UInt8]
        do {
            text = try SmallFile.readRegular(FilePath.joined(path, metadataName), limit: maximumMetadataBytes)
        } catch {
            throw ROSError(
                .badBag, "the folder has no \(metadataName) that can be read (\(error))",
                hint: "give a file, or the folder of a bag of ROS 2")
        }
        return try names(text).map { FilePath.joined(path, $0) }
    }

    /// The names of the files in the folder, by the content of `metadata.yaml`.
    ///
    /// - Throws: `ROSError` with `badBag` that says what is wrong, or what cannot be read.
    package static func names(_ metadata: [UInt8]) throws(ROSError) -> [String] {
        let storage: String
        let mode: String
        var paths: [String] = []
        do throws(YAMLError) {
            let about = try YAMLReader.document(metadata).value("rosbag2_bagfile_information")
            storage = try about.value("storage_identifier").string
            mode = try about.find("compression_mode")?.string ?? ""
            for node in try about.value("relative_file_paths").sequence { paths.append(try node.string) }
        } catch {
            throw ROSError(.badBag, "\(metadataName): \(error)")
        }
        guard ["mcap", "sqlite3"].contains(storage) else {
            throw ROSError(
                .badBag, "bags of ROS 2 with the storage '\(storage)' are not read, only mcap and sqlite3",
                hint: "convert it: ros2 bag convert")
        }
        guard mode.isEmpty || mode.lowercased() == "none" else {
            throw ROSError(
                .badBag, "bags of ROS 2 whose files or messages are compressed apart (\(mode)) are not read",
                hint: "chunks may be compressed; convert it: ros2 bag convert")
        }
        guard !paths.isEmpty, paths.count <= maximumFiles else {
            throw ROSError(.badBag, "\(metadataName) names \(paths.count) files, from 1 to \(maximumFiles) can be read")
        }
        // Older versions wrote a path from where the recorder ran; all files are in the folder itself.
        return try paths.map { (path) throws(ROSError) -> String in
            guard let name = path.split(separator: "/").last, name != "..", name != "." else {
                throw ROSError(.badBag, "\(metadataName) names a file '\(path)'")
            }
            return String(name)
        }
    }
}
