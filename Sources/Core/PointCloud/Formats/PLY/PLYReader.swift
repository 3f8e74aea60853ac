internal import UAVLink

/// Reads the vertices of a PLY file and skips all other elements.
struct PLYReader {
    private let bytes: UnsafeRawBufferPointer
    private let source: CloudSource
    private let progress: CloudProgress
    private let header: PLYHeader
    private let vertices: PLYHeader.Element
    private let x: Int
    private let y: Int
    private let z: Int

    static func read(
        _ bytes: UnsafeRawBufferPointer, source: CloudSource, limits: CloudLimits, progress: CloudProgress
    ) throws(PointCloudError) -> CloudReading {
        let header = try PLYHeaderReader.read(bytes, source: source)
        guard let vertices = header.elements.first(where: { $0.name == "vertex" }) else {
            throw source.error("has no element 'vertex'")
        }
        guard vertices.count <= limits.points else {
            throw source.error(
                .tooLarge, line: vertices.line, "\(vertices.count) points; the limit is \(limits.points)")
        }
        let reader = try Self(bytes, source, progress, header, vertices)
        let gathered = header.encoding == .ascii ? try reader.text() : try reader.binary()
        return CloudReading(format: .ply, droppedPoints: gathered.dropped, cloud: gathered.cloud())
    }

    private init(
        _ bytes: UnsafeRawBufferPointer, _ source: CloudSource, _ progress: CloudProgress, _ header: PLYHeader,
        _ vertices: PLYHeader.Element
    ) throws(PointCloudError) {
        (self.bytes, self.source, self.progress) = (bytes, source, progress)
        (self.header, self.vertices) = (header, vertices)
        func index(_ name: String) throws(PointCloudError) -> Int {
            guard let index = vertices.properties.firstIndex(where: { $0.name == name && $0.countKind == nil }) else {
                throw source.error(line: vertices.line, "element 'vertex' has no scalar property '\(name)'")
            }
            return index
        }
        (x, y, z) = (try index("x"), try index("y"), try index("z"))
    }

    // MARK: One line an element

    private func text() throws(PointCloudError) -> PointCollector {
        var rows = TextRows(bytes, from: header.bodyStart, line: header.bodyLine, source: source)
        for element in header.elements {
            if element.name == vertices.name { return try textVertices(&rows) }
            if element.properties.isEmpty { continue }
            for index in 0..<element.count where try !rows.advance() {
                throw ended(after: index, of: element)
            }
        }
        return PointCollector(expected: 0, possible: 0, progress: progress)
    }

    private func textVertices(_ rows: inout TextRows) throws(PointCloudError) -> PointCollector {
        let possible = (bytes.count - header.bodyStart) / (2 * vertices.properties.count) + 1
        var points = PointCollector(expected: vertices.count, possible: possible, progress: progress)
        for index in 0..<vertices.count {
            guard try rows.advance() else { throw ended(after: index, of: vertices) }
            var point = (x: 0.0, y: 0.0, z: 0.0)
            for (column, property) in vertices.properties.enumerated() {
                let number = try rows.number()
                if column == x {
                    point.x = number
                } else if column == y {
                    point.y = number
                } else if column == z {
                    point.z = number
                } else if property.countKind != nil {
                    guard let count = Int(exactly: number), count >= 0 else {
                        throw source.error(
                            line: rows.line, "property '\(property.name.sanitizedLine)' has \(number) entries")
                    }
                    for _ in 0..<count { _ = try rows.number() }
                }
            }
            guard rows.isAtLineEnd else {
                throw source.error(line: rows.line, "\(CloudSource.shown(rows.rest)) after the values of a vertex")
            }
            try points.add(point.x, point.y, point.z)
        }
        return points
    }

    // MARK: Bytes

    private func binary() throws(PointCloudError) -> PointCollector {
        var place = header.bodyStart
        for element in header.elements {
            if element.name == vertices.name { return try binaryVertices(at: place) }
            if element.hasLists {
                for index in 0..<element.count { place = try end(of: element, index, at: place) }
            } else {
                let (size, isTooLarge) = element.size.multipliedReportingOverflow(by: element.count)
                guard !isTooLarge, size <= bytes.count - place else {
                    throw ended(after: (bytes.count - place) / max(1, element.size), of: element)
                }
                place += size
            }
        }
        return PointCollector(expected: 0, possible: 0, progress: progress)
    }

    private func binaryVertices(at start: Int) throws(PointCloudError) -> PointCollector {
        let possible = (bytes.count - start) / vertices.size
        guard possible >= vertices.count else { throw ended(after: possible, of: vertices) }
        var points = PointCollector(expected: vertices.count, possible: possible, progress: progress)
        let properties = vertices.properties
        let kinds = (properties[x].kind, properties[y].kind, properties[z].kind)
        let isBigEndian = header.encoding == .bigEndian
        guard vertices.hasLists else {
            func offset(_ index: Int) -> Int { properties[..<index].reduce(0) { $0 + $1.kind.size } }
            let layout = PointLayout(offsets: (offset(x), offset(y), offset(z)), kinds: kinds, isBigEndian: isBigEndian)
            try points.add(count: vertices.count, stride: vertices.size, at: start, of: bytes, layout: layout)
            return points
        }
        var place = start
        for index in 0..<vertices.count {
            var at = (x: 0, y: 0, z: 0)
            let next = try end(of: vertices, index, at: place) { column, offset in
                if column == x {
                    at.x = offset
                } else if column == y {
                    at.y = offset
                } else if column == z {
                    at.z = offset
                }
            }
            try points.add(
                kinds.0.load(bytes, at: at.x, isBigEndian: isBigEndian),
                kinds.1.load(bytes, at: at.y, isBigEndian: isBigEndian),
                kinds.2.load(bytes, at: at.z, isBigEndian: isBigEndian))
            place = next
        }
        return points
    }

    /// The offset after one element with lists; every count takes at least a byte, so the file's size bounds the work.
    private func end(
        of element: PLYHeader.Element, _ index: Int, at start: Int,
        _ note: (_ property: Int, _ offset: Int) -> Void = { _, _ in }
    ) throws(PointCloudError) -> Int {
        var place = start
        for (column, property) in element.properties.enumerated() {
            note(column, place)
            let head = property.countKind ?? property.kind
            guard head.size <= bytes.count - place else { throw ended(after: index, of: element) }
            guard let countKind = property.countKind else {
                place += head.size
                continue
            }
            let count = countKind.load(bytes, at: place, isBigEndian: header.encoding == .bigEndian)
            place += head.size
            guard count >= 0 else {
                throw source.error(
                    byte: place - head.size, "property '\(property.name.sanitizedLine)' has \(Int(count)) entries")
            }
            // Counts have at most 32 bits, so nothing overflows.
            let size = Int(count) * property.kind.size
            guard size <= bytes.count - place else { throw ended(after: index, of: element) }
            place += size
        }
        return place
    }

    private func ended(after count: Int, of element: PLYHeader.Element) -> PointCloudError {
        source.error(
            .truncated, byte: bytes.count,
            "ends after \(count) of \(element.count) instances of element '\(element.name.sanitizedLine)'")
    }
}
