internal import UAVLink

/// Reads OpenStreetMap's binary extracts (`.osm.pbf`): blocks of nodes and ways, each compressed separately.
struct OSMBinaryReader {
    static let maximumBytes = 128 << 20
    /// Limit of the format.
    static let maximumHeader = 64 << 10
    /// Limit of the format, decompressed.
    static let maximumBlock = 32 << 20
    /// Largest number of strings in a block.
    static let maximumStrings = 1_000_000

    private var collector = OSMCollector()

    static func read(_ bytes: [UInt8], source: String) throws(RouteFileError) -> MapFeatures {
        guard bytes.count <= maximumBytes else {
            throw RouteFileError(
                "\(source.sanitizedLine): \(bytes.count) bytes, at most \(maximumBytes) are read: use a smaller extract"
            )
        }
        var reader = OSMBinaryReader()
        var position = 0
        var number = 0
        while position < bytes.count {
            number += 1
            do throws(RouteFileError) {
                try reader.block(bytes, &position)
            } catch { throw RouteFileError("\(source.sanitizedLine), block \(number): \(error.what)") }
        }
        guard number > 0 else { throw RouteFileError("\(source.sanitizedLine): the file is empty") }
        return reader.collector.finished()
    }

    private mutating func block(_ bytes: [UInt8], _ position: inout Int) throws(RouteFileError) {
        func take(_ count: Int, _ what: String) throws(RouteFileError) -> ArraySlice<UInt8> {
            guard count <= bytes.count - position else { throw RouteFileError("the file ends within \(what)") }
            defer { position += count }
            return bytes[position..<position + count]
        }
        let size = try take(4, "a length").reduce(0) { $0 << 8 | Int($1) }
        guard size <= Self.maximumHeader else {
            throw RouteFileError("found a header of \(size) bytes, expected at most \(Self.maximumHeader)")
        }
        var header = ProtobufReader(try take(size, "a header"))
        var (type, dataSize) = ("", -1)
        while let (field, value) = try header.next() {
            if field == 1, case .bytes(let text) = value { type = String(decoding: text, as: UTF8.self) }
            if field == 3, case .number(let count) = value { dataSize = Int(clamping: count) }
        }
        guard (0...Self.maximumBlock).contains(dataSize) else {
            throw RouteFileError("found a block of \(dataSize) bytes, expected at most \(Self.maximumBlock)")
        }
        let content = try Self.unpacked(try take(dataSize, "a block"))
        switch type {
        case "OSMHeader": try check(header: content[...])
        case "OSMData": try data(content[...])
        default: break
        }
    }

    private static func unpacked(_ blob: ArraySlice<UInt8>) throws(RouteFileError) -> [UInt8] {
        var reader = ProtobufReader(blob)
        var size = -1
        var packed: ArraySlice<UInt8>?
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let raw)): return Array(raw)
            case (2, .number(let count)): size = Int(clamping: count)
            case (3, .bytes(let zlib)): packed = zlib
            case (4...7, .bytes): throw RouteFileError("unsupported compression; only zlib is supported")
            default: continue
            }
        }
        guard let packed else { throw RouteFileError("the block is empty") }
        guard (0...maximumBlock).contains(size) else {
            throw RouteFileError("found a decompressed size of \(size) bytes, expected at most \(maximumBlock)")
        }
        return try Inflater.loaded.get().inflate(packed, size: size)
    }

    private func check(header: ArraySlice<UInt8>) throws(RouteFileError) {
        var reader = ProtobufReader(header)
        while let (field, value) = try reader.next() {
            guard field == 4, case .bytes(let name) = value else { continue }
            let feature = String(decoding: name, as: UTF8.self)
            guard ["OsmSchema-V0.6", "DenseNodes"].contains(feature) else {
                throw RouteFileError("unsupported required feature \(RouteFileError.shown(feature))")
            }
        }
    }

    /// String table, granularity and offset that all places of a block share.
    private struct Grid {
        var strings: [String] = []
        var granularity = 100.0
        var offset = (latitude: 0.0, longitude: 0.0)

        func degrees(_ units: Int64, _ offset: Double) -> Double { (offset + granularity * Double(units)) / 1e9 }

        func text(_ index: UInt64) throws(RouteFileError) -> String {
            guard index < UInt64(strings.count) else {
                throw RouteFileError("found string \(index) of \(strings.count)")
            }
            return strings[Int(index)]
        }

        func tags(_ keys: [UInt64], _ values: [UInt64]) throws(RouteFileError) -> [String: String] {
            guard keys.count == values.count else {
                throw RouteFileError("found \(keys.count) keys and \(values.count) values")
            }
            var tags: [String: String] = [:]
            for (key, value) in zip(keys, values).prefix(256) { tags[try text(key)] = try text(value) }
            return tags
        }
    }

    private mutating func data(_ block: ArraySlice<UInt8>) throws(RouteFileError) {
        var grid = Grid()
        var groups: [ArraySlice<UInt8>] = []
        var reader = ProtobufReader(block)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let table)): grid.strings = try Self.strings(table)
            case (2, .bytes(let group)): groups.append(group)
            case (17, .number(let number)): grid.granularity = Double(Int32(truncatingIfNeeded: number))
            case (19, .number(let number)): grid.offset.latitude = Double(Int64(bitPattern: number))
            case (20, .number(let number)): grid.offset.longitude = Double(Int64(bitPattern: number))
            default: continue
            }
        }
        for group in groups {
            var reader = ProtobufReader(group)
            while let (field, value) = try reader.next() {
                switch (field, value) {
                case (1, .bytes(let bytes)): try node(bytes, grid)
                case (2, .bytes(let bytes)): try denseNodes(bytes, grid)
                case (3, .bytes(let bytes)): try way(bytes, grid)
                case (4, .bytes): collector.relation()
                default: continue
                }
            }
        }
    }

    private static func strings(_ table: ArraySlice<UInt8>) throws(RouteFileError) -> [String] {
        var strings: [String] = []
        var reader = ProtobufReader(table)
        while let (field, value) = try reader.next() {
            guard field == 1, case .bytes(let text) = value else { continue }
            guard strings.count < maximumStrings else {
                throw RouteFileError("there are more than \(maximumStrings) strings")
            }
            strings.append(String(decoding: text, as: UTF8.self))
        }
        return strings
    }

    private mutating func node(_ bytes: ArraySlice<UInt8>, _ grid: Grid) throws(RouteFileError) {
        var (id, latitude, longitude) = (Int64(0), Int64(0), Int64(0))
        var (keys, values): ([UInt64], [UInt64]) = ([], [])
        var reader = ProtobufReader(bytes)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .number(let number)): id = ProtobufReader.signed(number)
            case (2, .bytes(let packed)): keys = try ProtobufReader.numbers(packed)
            case (3, .bytes(let packed)): values = try ProtobufReader.numbers(packed)
            case (8, .number(let number)): latitude = ProtobufReader.signed(number)
            case (9, .number(let number)): longitude = ProtobufReader.signed(number)
            default: continue
            }
        }
        try collector.node(
            id, latitude: grid.degrees(latitude, grid.offset.latitude),
            longitude: grid.degrees(longitude, grid.offset.longitude), tags: try grid.tags(keys, values))
    }

    private mutating func denseNodes(_ bytes: ArraySlice<UInt8>, _ grid: Grid) throws(RouteFileError) {
        var (ids, latitudes, longitudes): ([Int64], [Int64], [Int64]) = ([], [], [])
        var tagged: [UInt64] = []
        var reader = ProtobufReader(bytes)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (1, .bytes(let packed)): ids = try ProtobufReader.sums(packed)
            case (8, .bytes(let packed)): latitudes = try ProtobufReader.sums(packed)
            case (9, .bytes(let packed)): longitudes = try ProtobufReader.sums(packed)
            case (10, .bytes(let packed)): tagged = try ProtobufReader.numbers(packed)
            default: continue
            }
        }
        guard ids.count == latitudes.count, ids.count == longitudes.count else {
            throw RouteFileError(
                "found \(ids.count) nodes, \(latitudes.count) latitudes and \(longitudes.count) longitudes")
        }
        // Keys and values alternate, each node's list ends with a zero; empty if no node has any.
        var next = tagged[...]
        for index in ids.indices {
            var (keys, values): ([UInt64], [UInt64]) = ([], [])
            while let key = next.popFirst(), key != 0 {
                guard let value = next.popFirst() else { throw RouteFileError("a key of a node has no value") }
                keys.append(key)
                values.append(value)
            }
            try collector.node(
                ids[index], latitude: grid.degrees(latitudes[index], grid.offset.latitude),
                longitude: grid.degrees(longitudes[index], grid.offset.longitude), tags: try grid.tags(keys, values))
        }
    }

    private mutating func way(_ bytes: ArraySlice<UInt8>, _ grid: Grid) throws(RouteFileError) {
        var (keys, values): ([UInt64], [UInt64]) = ([], [])
        var references: [Int64] = []
        var reader = ProtobufReader(bytes)
        while let (field, value) = try reader.next() {
            switch (field, value) {
            case (2, .bytes(let packed)): keys = try ProtobufReader.numbers(packed)
            case (3, .bytes(let packed)): values = try ProtobufReader.numbers(packed)
            case (8, .bytes(let packed)): references = try ProtobufReader.sums(packed)
            default: continue
            }
        }
        try collector.way(references, tags: try grid.tags(keys, values))
    }
}
