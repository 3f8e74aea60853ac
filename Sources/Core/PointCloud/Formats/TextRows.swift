/// Reads text line by line and number by number. LF, CR and CRLF end a line.
struct TextRows {
    let bytes: UnsafeRawBufferPointer
    let source: CloudSource
    /// Whether commas and semicolons separate numbers as well.
    let takesPunctuation: Bool
    /// The number of the current line (`place` to `end`), from 1.
    private(set) var line: Int
    private var place: Int
    private var end: Int
    private var next: Int

    /// A reader before the first line.
    ///
    /// - Parameters:
    ///   - start: the offset of the first line, bytes.
    ///   - line: the number of that line in the file.
    init(
        _ bytes: UnsafeRawBufferPointer, from start: Int, line: Int, takesPunctuation: Bool = false, source: CloudSource
    ) {
        self.bytes = bytes
        self.source = source
        self.takesPunctuation = takesPunctuation
        self.line = line - 1
        (place, end, next) = (start, start, start)
    }

    /// Advances to the next line that is not blank; `false` at the end of the text.
    @inline(__always)
    mutating func advance() throws(PointCloudError) -> Bool {
        let count = bytes.count
        while next < count {
            place = next
            line += 1
            // A local variable, which stays in a register.
            var end = place
            while end < count {
                let byte = bytes[end]
                // Characters are above both, so that most bytes take one comparison.
                if byte <= 0x0D, byte == 0x0A || byte == 0x0D { break }
                end += 1
            }
            self.end = end
            next = end + 1
            if next < count, bytes[end] == 0x0D, bytes[next] == 0x0A { next += 1 }
            guard end - place <= CloudLimits.lineBytes else {
                throw source.error(
                    line: line, "a line of \(end - place) bytes; the limit is \(CloudLimits.lineBytes)")
            }
            skipBlanks()
            if place < end { return true }
        }
        (place, end) = (count, count)
        return false
    }

    /// The next number of the line.
    @inline(__always)
    mutating func number() throws(PointCloudError) -> Double {
        let word = self.word()
        guard let value = NumberText.number(bytes, word.lowerBound, word.upperBound) else {
            throw notNumber(word)
        }
        return value
    }

    /// The error about a word of the line that is not a number.
    func notNumber(_ word: Range<Int>) -> PointCloudError {
        let expected = bytes[word].contains(0x2C) ? "a number with a decimal point" : "a number"
        // A number is short; the file may be something else altogether.
        let found = word.isEmpty ? "nothing" : CloudSource.shown(bytes[word], most: 20)
        return source.error(line: line, "expected \(expected), found \(found)")
    }

    /// The range of the next word of the line; empty at the end of the line and between two commas.
    @inline(__always)
    mutating func word() -> Range<Int> {
        let first = place
        var last = first
        while last < end, !isBlank(bytes[last]), !isPunctuation(bytes[last]) { last += 1 }
        place = last
        skipBlanks()
        if place < end, isPunctuation(bytes[place]) {
            place += 1
            skipBlanks()
        }
        return first..<last
    }

    /// The range of the next word of the line, in which commas do not separate.
    mutating func group() -> Range<Int> {
        let first = place
        while place < end, !isBlank(bytes[place]), bytes[place] != 0x3B { place += 1 }
        let group = first..<place
        skipBlanks()
        if place < end, bytes[place] == 0x3B {
            place += 1
            skipBlanks()
        }
        return group
    }

    /// Whether the line is consumed.
    var isAtLineEnd: Bool { place >= end }

    /// The rest of the line.
    var rest: Slice<UnsafeRawBufferPointer> { bytes[place..<end] }

    /// The offsets of the rest of the line.
    var restRange: Range<Int> { place..<end }

    @inline(__always)
    private mutating func skipBlanks() {
        while place < end, isBlank(bytes[place]) { place += 1 }
    }

    @inline(__always)
    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @inline(__always)
    private func isPunctuation(_ byte: UInt8) -> Bool { takesPunctuation && (byte == 0x2C || byte == 0x3B) }
}
