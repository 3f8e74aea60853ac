import ROSMessages
import ROSRecordings
import Testing

@Suite struct RecordingFolderTests {
    private static func metadata(
        storage: String = "mcap", mode: String = "compression_mode: ''", paths: [String] = ["a_0.mcap"]
    ) -> [UInt8] {
        let lines = [
            "rosbag2_bagfile_information:", "  version: 8", "  storage_identifier: \(storage)", "  \(mode)",
            "  relative_file_paths:",
        ]
        return Array((lines + paths.map { "    - \($0)" }).joined(separator: "\n").utf8)
    }

    @Test func `the files of a bag are in its folder, whatever path was written`() throws {
        #expect(
            try RecordingFolder.names(Self.metadata(paths: ["a_0.mcap", "x/y/a_1.mcap"])) == ["a_0.mcap", "a_1.mcap"])
        #expect(try RecordingFolder.names(Self.metadata(mode: "compression_mode: NONE")) == ["a_0.mcap"])
        #expect(try RecordingFolder.names(Self.metadata(mode: "compression_mode:")) == ["a_0.mcap"])
        #expect(try RecordingFolder.names(Self.metadata(mode: "ros_distro: jazzy")) == ["a_0.mcap"])
        #expect(try RecordingFolder.files(at: "/none/f.bag") == ["/none/f.bag"])
    }

    @Test func `what cannot be read is named`() {
        let wrong: [([UInt8], String)] = [
            (Self.metadata(storage: "other"), "storage 'other' are not read"),
            (Self.metadata(mode: "compression_mode: FILE"), "compressed apart (FILE)"),
            (Self.metadata(paths: []), "metadata.yaml: "), (Self.metadata(paths: ["'..'"]), "names a file '..'"),
            (Self.metadata(paths: ["/"]), "names a file '/'"), ([], "metadata.yaml: "),
            (Array("a: 1".utf8), "rosbag2_bagfile_information"), (Array("\u{1}".utf8), "metadata.yaml: "),
        ]
        for (bytes, what) in wrong {
            let error = #expect(throws: ROSError.self, "\(what)") { try RecordingFolder.names(bytes) }
            #expect(error?.code == .badBag && error?.what.contains(what) == true, "\(String(describing: error))")
        }
    }
}
