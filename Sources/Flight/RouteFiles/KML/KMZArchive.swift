internal import XML
internal import CZip
internal import UAVLink

/// Reads and writes the KML document in a zip archive.
enum KMZArchive {
    static let maximumBytes = 64 << 20
    static let maximumEntries: Int64 = 10_000
    /// Compressed KML is 5 to 30 times smaller; a higher ratio indicates a decompression bomb.
    static let maximumRatio = 200

    /// Ends of names of files that have points; `.wpml` is the one of DJI.
    private static let ends = [".kml", ".kmz", ".wpml", ".gpx", ".geojson"]

    /// Entries of documents of Office and LibreOffice, which are zip archives too.
    private static let offices: [(start: String, advice: String)] = [
        ("xl/", "is a spreadsheet, which cannot be read; expected \(RouteFormat.readNames); save it as CSV"),
        ("word/", "is a text document, which has no route; expected \(RouteFormat.readNames)"),
        (
            "content.xml",
            "is an OpenDocument file, which cannot be read; expected \(RouteFormat.readNames); save a table as CSV"
        ),
    ]

    /// The main document: `doc.kml`, or the first entry that ends with `.kml`.
    ///
    /// - Returns: it, its name, and the names of the others that may have points too.
    static func document(
        _ bytes: [UInt8], source: String
    ) throws(RouteFileError) -> (bytes: [UInt8], name: String, others: [String]) {
        guard bytes.count <= maximumBytes else {
            throw RouteFileError(
                "\(source.sanitizedLine): \(bytes.count) bytes of KMZ, at most \(maximumBytes) are read")
        }
        let archive = try ZipArchive(bytes, source: source)
        let entries = try archive.entries(maximum: maximumEntries)
        let main =
            entries.first { $0.name == "doc.kml" } ?? entries.first { $0.name.lowercased().hasSuffix(".kml") }
        guard let main else {
            let office = offices.first { mark in entries.contains { $0.name.hasPrefix(mark.start) } }
            throw RouteFileError(
                "\(source.sanitizedLine): " + (office?.advice ?? "the archive has no entry that ends with .kml"))
        }
        let others = entries.filter { entry in
            entry.index != main.index && ends.contains { entry.name.lowercased().hasSuffix($0) }
        }
        let limit = min(XMLFile.bounds.bytes, max(1 << 20, bytes.count * maximumRatio))
        return (try archive.content(of: main.index, limit: limit), main.name, others.map(\.name))
    }

    /// An archive with one document; deterministic.
    static func archive(document: [UInt8]) throws(RouteFileError) -> [UInt8] {
        let zip = try ZipLibrary.loaded.get()
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, document.count), alignment: 1)
        defer { input.deallocate() }
        input.copyBytes(from: document)
        let failed = RouteFileError("the KMZ archive cannot be written")
        guard let target = zip.sourceBuffer(nil, 0, 0, nil) else { throw failed }
        zip.sourceKeep(target)
        defer { zip.sourceFree(target) }
        guard let archive = zip.open(target, ZIP_CREATE | ZIP_TRUNCATE, nil) else {
            zip.sourceFree(target)
            throw failed
        }
        guard let content = zip.sourceBuffer(input.baseAddress, UInt64(document.count), 0, nil) else {
            zip.discard(archive)
            throw failed
        }
        let index = zip.add(archive, "doc.kml", content, UInt32(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip.sourceFree(content)
            zip.discard(archive)
            throw failed
        }
        // A fixed time (1980, the earliest that an archive can hold), so that the same route gives the same file.
        _ = zip.setTime(archive, UInt64(index), 315_576_000, 0)
        guard zip.close(archive) == 0 else {
            zip.discard(archive)
            throw failed
        }
        guard zip.sourceOpen(target) == 0 else { throw failed }
        defer { _ = zip.sourceClose(target) }
        return try drain(failed) { zip.sourceRead(target, $0, $1) }
    }

    /// Reads until the end, or until more than `limit` bytes were read.
    static func drain(
        _ failure: RouteFileError, limit: Int = .max, _ read: (UnsafeMutableRawPointer?, UInt64) -> Int64
    ) throws(RouteFileError) -> [UInt8] {
        var out: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while out.count <= limit {
            let count = piece.withUnsafeMutableBytes { read($0.baseAddress, UInt64($0.count)) }
            guard count >= 0, count <= piece.count else { throw failure }
            if count == 0 { return out }
            out += piece[..<Int(count)]
        }
        return out
    }
}

/// Owns an open archive and its bytes.
final class ZipArchive {
    private let zip: ZipLibrary
    private let archive: OpaquePointer
    private let input: UnsafeMutableRawBufferPointer
    private let source: String

    init(_ bytes: [UInt8], source: String) throws(RouteFileError) {
        zip = try ZipLibrary.loaded.get()
        self.source = source
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        input.copyBytes(from: bytes)
        guard let buffer = zip.sourceBuffer(input.baseAddress, UInt64(bytes.count), 0, nil) else {
            input.deallocate()
            throw RouteFileError("\(source.sanitizedLine): out of memory while reading the archive")
        }
        guard let archive = zip.open(buffer, ZIP_RDONLY, nil) else {
            zip.sourceFree(buffer)
            input.deallocate()
            throw RouteFileError("\(source.sanitizedLine): not a valid zip archive")
        }
        self.archive = archive
        self.input = input
    }

    deinit {
        zip.discard(archive)
        input.deallocate()
    }

    /// What it contains, in its order.
    func entries(maximum: Int64) throws(RouteFileError) -> [(index: UInt64, name: String)] {
        let count = zip.entries(archive, 0)
        guard (0...maximum).contains(count) else {
            throw RouteFileError(
                "\(source.sanitizedLine): the archive has \(count) entries, at most \(maximum) are read")
        }
        var entries: [(index: UInt64, name: String)] = []
        for index in 0..<UInt64(count) {
            guard let name = zip.name(archive, index, UInt32(ZIP_FL_ENC_GUESS)) else { continue }
            entries.append((index: index, name: String(cString: name)))
        }
        return entries
    }

    func content(of index: UInt64, limit: Int) throws(RouteFileError) -> [UInt8] {
        guard let entry = zip.openEntry(archive, index, 0) else {
            throw RouteFileError("\(source.sanitizedLine): the document in the archive cannot be opened")
        }
        defer { _ = zip.closeEntry(entry) }
        let damaged = RouteFileError("\(source.sanitizedLine): the document in the archive is damaged")
        let content = try KMZArchive.drain(damaged, limit: limit) { zip.read(entry, $0, $1) }
        guard content.count <= limit else {
            throw RouteFileError(
                "\(source.sanitizedLine): the document in the archive decompresses to more than the limit of \(limit) bytes"
            )
        }
        return content
    }
}
