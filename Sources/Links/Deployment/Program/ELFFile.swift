/// The parts of an ELF file (elf(5)) that show whether all of it is there.
struct ELFFile: Hashable, Sendable {
    /// Why a file that begins as a program cannot be one.
    enum Fault: Error, Hashable, Sendable {
        /// Its header has fewer bytes than one has, or says impossible things.
        case header
        /// It is a library's object, or another file that cannot be started.
        case kind
        /// It would need this many bytes.
        case truncated(needed: UInt64)
    }

    /// Where the fields of the header are, by the class of the file; and their sizes in bytes.
    private struct Layout {
        let word: Int
        let header: Int
        let programTable: Int
        let sectionTable: Int
        let counts: Int
        let programEntry: Int
        let sectionEntry: Int
        let segmentOffset: Int
        let segmentSize: Int

        static let small = Layout(
            word: 4, header: 52, programTable: 28, sectionTable: 32, counts: 42, programEntry: 32, sectionEntry: 40,
            segmentOffset: 4, segmentSize: 16)
        static let large = Layout(
            word: 8, header: 64, programTable: 32, sectionTable: 40, counts: 54, programEntry: 56, sectionEntry: 64,
            segmentOffset: 8, segmentSize: 32)
    }

    private let bytes: [UInt8]
    private let isBig: Bool

    /// Checks that the tables of the header, and all that is loaded from the file, lie within it.
    static func check(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count > 20 else { throw .header }
        let layout: Layout
        switch bytes[4] {
        case 1: layout = .small
        case 2: layout = .large
        default: throw .header
        }
        guard bytes.count >= layout.header else { throw .truncated(needed: UInt64(layout.header)) }
        try ELFFile(bytes: bytes, isBig: bytes[5] == 2).check(layout)
    }

    private func check(_ layout: Layout) throws(Fault) {
        // Programs are linked to an address or to any.
        guard [2, 3].contains(number(at: 16, size: 2)) else { throw .kind }
        let segments = number(at: layout.programTable, size: layout.word)
        let segmentSize = number(at: layout.counts, size: 2)
        let segmentCount = number(at: layout.counts + 2, size: 2)
        guard segmentCount > 0, segmentSize >= UInt64(layout.programEntry) else { throw .kind }
        try require(segments, segmentSize * segmentCount)
        let sectionSize = number(at: layout.counts + 4, size: 2)
        let sectionCount = number(at: layout.counts + 6, size: 2)
        if sectionCount > 0 {
            guard sectionSize >= UInt64(layout.sectionEntry) else { throw .header }
            try require(number(at: layout.sectionTable, size: layout.word), sectionSize * sectionCount)
        }
        for index in 0..<Int(segmentCount) {
            // Within the file, by the check above.
            let entry = Int(segments) + index * Int(segmentSize)
            guard number(at: entry, size: 4) == Self.load else { continue }
            try require(
                number(at: entry + layout.segmentOffset, size: layout.word),
                number(at: entry + layout.segmentSize, size: layout.word))
        }
    }

    /// `PT_LOAD`.
    private static let load: UInt64 = 1

    private func require(_ offset: UInt64, _ size: UInt64) throws(Fault) {
        let (end, overflow) = offset.addingReportingOverflow(size)
        guard !overflow else { throw .header }
        guard end <= UInt64(bytes.count) else { throw .truncated(needed: end) }
    }

    /// The number at a place that is within the file.
    private func number(at place: Int, size: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<size {
            let byte = bytes[isBig ? place + index : place + size - 1 - index]
            number = number << 8 | UInt64(byte)
        }
        return number
    }
}
