#if canImport(Glibc)
    internal import Glibc

    /// Searches this process's own memory for secret bytes, as whoever reads a core dump would.
    ///
    /// What is looked for lies in mappings of its own, which are left out, as is the buffer that memory is read into.
    public final class MemorySearch {
        private static let chunk = 1 << 20
        private let pattern: UnsafeMutableRawBufferPointer
        private let digits: UnsafeMutableRawBufferPointer
        private let buffer: UnsafeMutableRawBufferPointer
        private var texts: [UnsafeMutableRawBufferPointer] = []

        /// Makes `count` random bytes; `nil` when there is no memory for them.
        public init?(_ count: Int) {
            guard count > 0, let pattern = Self.map(count), let digits = Self.map(2 * count),
                let buffer = Self.map(Self.chunk + 2 * count)
            else { return nil }
            (self.pattern, self.digits, self.buffer) = (pattern, digits, buffer)
            var generator = SystemRandomNumberGenerator()
            for index in pattern.indices {
                let byte = UInt8.random(in: 0...255, using: &generator)
                pattern[index] = byte
                digits[2 * index] = Self.digit(byte >> 4)
                digits[2 * index + 1] = Self.digit(byte & 15)
            }
        }

        deinit { for mapping in own { munmap(mapping.baseAddress, mapping.count) } }

        private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10 }

        /// The bytes.
        public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(pattern) }

        /// The bytes in lower-case hexadecimal digits: a copy, which ``countOfDigits()`` counts.
        public var hexadecimal: String { String(decoding: UnsafeRawBufferPointer(digits), as: UTF8.self) }

        /// A text with the hexadecimal digits in its middle, which is not counted; `nil` when there is no memory for it.
        public func text(_ before: String, _ after: String) -> UnsafeRawBufferPointer? {
            let (begin, end) = (Array(before.utf8), Array(after.utf8))
            guard let text = Self.map(begin.count + digits.count + end.count) else { return nil }
            texts.append(text)
            text.copyBytes(from: begin)
            let middle = UnsafeMutableRawBufferPointer(rebasing: text[begin.count...])
            middle.copyMemory(from: UnsafeRawBufferPointer(digits))
            UnsafeMutableRawBufferPointer(rebasing: middle[digits.count...]).copyBytes(from: end)
            return UnsafeRawBufferPointer(text)
        }

        /// How often the bytes stand in writable memory.
        public func count() -> Int { count(of: pattern) }

        /// How often their lower-case hexadecimal digits do.
        public func countOfDigits() -> Int { count(of: digits) }

        private func count(of wanted: UnsafeMutableRawBufferPointer) -> Int {
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            guard memory >= 0, let maps = fopen("/proc/self/maps", "re") else { return -1 }
            defer {
                close(memory)
                fclose(maps)
            }
            var ranges: [Range<UInt>] = []
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            defer { free(line) }
            while getline(&line, &capacity, maps) >= 0, let line {
                let fields = String(cString: line).split(separator: " ")
                let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if fields.count > 1, fields[1].hasPrefix("rw"), ends.count == 2 { ranges.append(ends[0]..<ends[1]) }
            }
            return ranges.reduce(0) { $0 + count(of: wanted, in: $1, memory) }
        }

        private func count(of wanted: UnsafeMutableRawBufferPointer, in range: Range<UInt>, _ memory: Int32) -> Int {
            var found = 0
            var from = range.lowerBound
            while from < range.upperBound {
                // Chunks overlap by what one occurrence is longer than a byte.
                let length = min(Int(range.upperBound - from), Self.chunk + wanted.count - 1)
                let read = pread(memory, buffer.baseAddress, length, Int(from))
                if read > 0 {
                    found += occurrences(of: wanted, in: UnsafeRawBufferPointer(rebasing: buffer[..<read])).count {
                        !isOwn(from + UInt($0))
                    }
                }
                from += UInt(Self.chunk)
            }
            return found
        }

        private func occurrences(
            of pattern: UnsafeMutableRawBufferPointer, in memory: UnsafeRawBufferPointer
        ) -> [Int] {
            var found: [Int] = []
            guard let base = memory.baseAddress, let wanted = pattern.baseAddress else { return found }
            var from = 0
            while memory.count - from >= pattern.count,
                let hit = memchr(base + from, Int32(pattern[0]), memory.count - from - pattern.count + 1)
            {
                if memcmp(hit, wanted, pattern.count) == 0 { found.append(base.distance(to: UnsafeRawPointer(hit))) }
                from = base.distance(to: UnsafeRawPointer(hit)) + 1
            }
            return found
        }

        private var own: [UnsafeMutableRawBufferPointer] { [pattern, digits, buffer] + texts }

        private func isOwn(_ address: UInt) -> Bool {
            own.contains { mapping in
                let begin = UInt(bitPattern: mapping.baseAddress)
                return (begin..<begin + UInt(mapping.count)).contains(address)
            }
        }

        private static func map(_ count: Int) -> UnsafeMutableRawBufferPointer? {
            let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let memory, memory != MAP_FAILED else { return nil }
            return UnsafeMutableRawBufferPointer(start: memory, count: count)
        }
    }
#endif
