/// The first line of an XYZ file, if it names the columns x, y and z in this order ("X,Y,Z", "x_m y_m z_m").
struct XYZHeading {
    /// The number of columns.
    let columns: Int

    init?(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) {
        let words = bytes[line].split { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C || $0 == 0x3B }
        guard words.count >= 3 else { return nil }
        for (name, word) in zip(["x", "y", "z"], words) {
            let first = String(decoding: word, as: UTF8.self).lowercased().first { $0.isLetter }
            guard first.map(String.init) == name else { return nil }
        }
        columns = words.count
    }
}
