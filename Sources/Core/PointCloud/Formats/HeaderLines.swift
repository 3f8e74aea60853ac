/// The lines of a header, at the start of a file whose body may be binary.
///
/// The first line end decides: after a CR alone, CR ends the lines; else LF does, with or without a CR before it. A body's
/// first byte is therefore never taken for a part of a line end.
struct HeaderLines {
    private let head: [UInt8]
    private let end: UInt8
    private var place = 0
    /// The number of the line returned last, from 1.
    private(set) var line = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        let head = Array(bytes.prefix(CloudLimits.headerBytes))
        let first = head.firstIndex { $0 == 0x0A || $0 == 0x0D }
        let isAlone = first.map { head[$0] == 0x0D && ($0 + 1 == head.count || head[$0 + 1] != 0x0A) } ?? false
        self.head = head
        end = isAlone ? 0x0D : 0x0A
    }

    /// The size of the part of the file that a header may take, bytes.
    var byteCount: Int { head.count }
    /// The offset after the line returned last, bytes.
    var nextOffset: Int { place }

    /// The next line; `nil` after the last.
    mutating func next() -> ArraySlice<UInt8>? {
        guard place < head.count else { return nil }
        line += 1
        let stop = head[place...].firstIndex(of: end) ?? head.count
        defer { place = min(stop + 1, head.count) }
        return head[place..<stop]
    }

    /// The words of a line.
    static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
