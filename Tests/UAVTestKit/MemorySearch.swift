#if canImport(Glibc)
    internal import Glibc

    /// Searches this process's own memory for secret bytes, as whoever reads a core dump would.
    ///
    /// The bytes that are looked for lie in a mapping of their own, which is left out, as is the buffer that memory is read into.
    public final class MemorySearch {
        private static let chunk = 1 << 20
        private let pattern: UnsafeMutableRawBufferPointer
        private let buffer: UnsafeMutableRawBufferPointer

        /// Makes `count` random bytes; `nil` when there is no memory for them.
        public init?(_ count: Int) {
            guard count > 0, let pattern = Self.map(count), let buffer = Self.map(Self.chunk + count) else {
                return nil
            }
            (self.pattern, self.buffer) = (pattern, buffer)
            var generator = SystemRandomNumberGenerator()
            for index in pattern.indices { pattern[index] = UInt8.random(in: 0...255, using: &generator) }
        }

        deinit {
            munmap(pattern.baseAddress, pattern.count)
            munmap(buffer.baseAddress, buffer.count)
        }

        /// The bytes.
        public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(pattern) }

        /// The bytes in lower-case hexadecimal digits, which are not what is looked for.
        public var hexadecimal: String {
            let digits = Array("0123456789abcdef")
            return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        }

        /// How often the bytes stand in writable memory.
        public func count() -> Int {
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
            return ranges.reduce(0) { $0 + count(in: $1, memory) }
        }

        private func count(in range: Range<UInt>, _ memory: Int32) -> Int {
            var found = 0
            var from = range.lowerBound
            while from < range.upperBound {
                // Chunks overlap by what one occurrence is longer than a byte.
                let length = min(Int(range.upperBound - from), Self.chunk + pattern.count - 1)
                let read = pread(memory, buffer.baseAddress, length, Int(from))
                if read > 0 {
                    found += occurrences(in: UnsafeRawBufferPointer(rebasing: buffer[..<read])).count {
                        !isOwn(from + UInt($0))
                    }
                }
                from += UInt(Self.chunk)
            }
            return found
        }

        private func occurrences(in memory: UnsafeRawBufferPointer) -> [Int] {
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

        private func isOwn(_ address: UInt) -> Bool {
            [pattern, buffer].contains { own in
                let begin = UInt(bitPattern: own.baseAddress)
                return (begin..<begin + UInt(own.count)).contains(address)
            }
        }

        private static func map(_ count: Int) -> UnsafeMutableRawBufferPointer? {
            let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let memory, memory != MAP_FAILED else { return nil }
            return UnsafeMutableRawBufferPointer(start: memory, count: count)
        }
    }
#endif
