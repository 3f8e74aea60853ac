internal import Geodesy
internal import Trajectories
internal import UAVLink

/// Reads tables of points: `x,y,z,heading` without a header, or columns named by a header, latitude and longitude among
/// them.
///
/// Between semicolons numbers may have decimal commas. Comments (`#`) set the frame and units: `# frame: local_origin, heading: rad, altitude: amsl`. Headings are ENU radians
/// by default. An altitude needs a reference; one without it is left out with a warning.
struct TableReader {
    static let maximumBytes = 128 << 20
    static let maximumColumns = 64

    private var builder: RouteBuilder
    private var directives = TableDirectives()
    private var columns: [TableColumn]?
    private var separator: Character?
    private var commas = TableCommas()
    private var decimals = DecimalCommas()
    /// Columns of speeds, which the route leaves out.
    private var speeds: [(index: Int, name: String, factor: Double)] = []
    /// Further columns that say how the route is flown.
    private var flown: [(index: Int, name: String)] = []

    static func read(_ bytes: [UInt8], source: String, limit: Int) throws(RouteFileError) -> ReadRoute {
        guard bytes.count <= maximumBytes else {
            throw RouteFileError(
                "\(source.sanitizedLine): \(bytes.count) bytes of text, at most \(maximumBytes) are read")
        }
        var reader = TableReader(source: source, limit: limit)
        var number = 0
        for line in TextLines(bytes) {
            number += 1
            guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
                throw RouteFileError(source, line: number, "found control characters, expected a line of a table")
            }
            guard line.count <= 1 << 16 else {
                throw RouteFileError(
                    source, line: number, "found a line of \(line.count) bytes, expected at most \(1 << 16)")
            }
            do throws(RouteFileError) {
                try reader.line(XMLText.trimmed(String(decoding: line, as: UTF8.self)), number: number)
            } catch { throw error.what.hasPrefix(source.sanitizedLine) ? error : error.at(source, line: number) }
        }
        if reader.commas.areDoubtful { reader.builder.note(TableCommas.warning, isLoss: false) }
        if reader.decimals.areDoubtful { reader.builder.note(DecimalCommas.groupingWarning, isLoss: false) }
        if reader.directives.hasRemarks { reader.builder.addExtra("comments") }
        return reader.builder.finished()
    }

    private init(source: String, limit: Int) { builder = RouteBuilder(source: source, limit: limit) }

    private mutating func line(_ text: String, number: Int) throws(RouteFileError) {
        if text.isEmpty { return }
        if text.hasPrefix("#") || text.hasPrefix("//") {
            return try directives.take(String(text.drop { $0 == "#" || $0 == "/" }))
        }
        let separator = self.separator ?? TableLine.separator(of: text)
        self.separator = separator
        let cells = TableLine.cells(text, separator: separator)
        guard cells.count <= Self.maximumColumns else {
            throw RouteFileError("found \(cells.count) columns, expected at most \(Self.maximumColumns)")
        }
        guard let columns else { return try first(cells, of: text, number: number) }
        guard cells.count == columns.count else {
            throw RouteFileError("found \(cells.count) columns, expected \(columns.count) as in the first row")
        }
        try row(cells, columns, number: number)
    }

    private mutating func first(_ cells: [String], of text: String, number: Int) throws(RouteFileError) {
        let mayHaveCommas = separator == ";"
        if cells.allSatisfy({ PlainNumber.double($0) == nil && !(mayHaveCommas && DecimalCommas.isNumber($0)) }) {
            var named = cells.map { TableColumn(header: $0) }
            let isOnGlobe = named.contains(.latitude) && named.contains(.longitude)
            guard isOnGlobe || (named.contains(.x) && named.contains(.y)) else {
                let uncertain = cells.filter { TableColumn.isUncertainCoordinate($0) }.prefix(4)
                    .map { RouteFileError.shown($0) }
                throw RouteFileError(
                    "found \(RouteFileError.shown(text)), expected columns x and y, or latitude and longitude"
                        + (uncertain.isEmpty
                            ? ""
                            : "; \(uncertain.joined(separator: ", ")): unit or direction not known, expected x_m, y_m,"
                                + " latitude_deg or longitude_deg"))
            }
            // One kind of place: half of the other one would be mixed with it.
            let others: [TableColumn] = isOnGlobe ? [.x, .y] : [.latitude, .longitude]
            named = named.map { others.contains($0) ? .unknown : $0 }
            for (index, (cell, column)) in zip(cells, named).enumerated() where column == .unknown {
                switch PropertyMeaning(name: cell) {
                case .speed(let factor):
                    builder.note("column '\(cell)' is left out")
                    speeds.append((index, "column '\(cell)'", factor))
                case .limit: builder.omit("column '\(cell)' is left out, and may limit the flight")
                case .flown, .wait:
                    builder.addExtra("column '\(cell)'")
                    flown.append((index, cell))
                case .column, .none: builder.note("column '\(cell)' is left out")
                }
            }
            columns = named
            return
        }
        guard let plain = TableColumn.plain(cells.count) else {
            throw RouteFileError("found \(cells.count) columns without a header, expected x, y, z and heading")
        }
        columns = plain
        commas.isPlain = separator == "," && plain.count == 4
        try row(cells, plain, number: number)
    }

    private mutating func row(_ cells: [String], _ columns: [TableColumn], number: Int) throws(RouteFileError) {
        guard builder.hasCapacity else {
            throw RouteFileError("found another point, expected at most \(builder.limit)")
        }
        let cells = try separator == ";" ? pointed(cells, columns, number: number) : cells
        commas.take(cells)
        var (first, second, up): (Double?, Double?, Double?) = (nil, nil, nil)
        var point = RoutePoint(place: .local(xMetres: 0, yMetres: 0, frame: .current))
        var entries: [(key: String, text: String)] = []
        for (cell, column) in zip(cells, columns) where !cell.isEmpty {
            switch column {
            case .x, .longitude: first = try Self.number(cell, column == .x ? "x" : "longitude")
            case .y, .latitude: second = try Self.number(cell, column == .y ? "y" : "latitude")
            case .z: up = try Self.number(cell, "z")
            case .name: point.name = cell
            case .altitude(let said):
                let metres = try Self.number(cell, "altitude")
                if let reference = said ?? directives.altitude {
                    point.altitude = .init(metres: metres, reference: reference)
                } else {
                    builder.omit(
                        "altitudes are left out because their reference is not given: name the column altitude_amsl,"
                            + " altitude_ellipsoid, altitude_ground or altitude_home, or write '# altitude: amsl'")
                }
            case .heading(let isDegrees):
                if cell == "along_path" {
                    point.heading = .alongPath
                } else {
                    let value = try Self.number(cell, "heading")
                    let said = isDegrees ?? directives.headingIsDegrees
                    point.heading = .fixed(radians: said == true ? Heading.radians(degrees: value) : value)
                    if said == true, columns.contains(.latitude) {
                        builder.note(ReadRoute.compassNote, isLoss: false)
                    }
                    if said == nil, abs(value) > 7 {
                        builder.note(ReadRoute.headingNote, isLoss: false)
                    }
                }
            case .cameraPitchDegrees:
                point.cameraPitchRadians = Heading.radians(degrees: try Self.number(cell, "camera pitch"))
            case .annotation(let key): entries.append((key, cell))
            case .unknown: continue
            }
        }
        for speed in speeds where cells.indices.contains(speed.index) && !cells[speed.index].isEmpty {
            builder.demand(speed: cells[speed.index], factor: speed.factor, source: speed.name)
        }
        for column in flown where cells.indices.contains(column.index) {
            builder.leaveOut(property: column.name, cells[column.index], source: "column '\(column.name)'")
        }
        guard let first, let second else { throw RouteFileError("found an empty cell, expected a coordinate") }
        if columns.contains(.latitude) {
            point.place = .geographic(try GeographicPlace.make(longitude: first, latitude: second).get())
            if up != nil {
                builder.omit("column 'z' is left out beside latitude and longitude: name it altitude_amsl or similar")
            }
        } else {
            if directives.frame == nil { builder.note(ReadRoute.frameNote, isLoss: false) }
            let frame = directives.frame ?? .current
            point.place = .local(xMetres: first, yMetres: second, frame: frame)
            if let up { point.altitude = .init(metres: up, reference: .frame(frame)) }
        }
        try PointAnnotations.apply(entries, to: &point)
        builder.route.points.append(point)
    }

    /// The cells of a row between semicolons, their numbers with decimal points.
    private mutating func pointed(
        _ cells: [String], _ columns: [TableColumn], number: Int
    ) throws(RouteFileError) -> [String] {
        var cells = cells
        for (index, column) in columns.enumerated() {
            if column.isNumeric { cells[index] = try decimals.number(cells[index], line: number) }
        }
        for index in speeds.map(\.index) + flown.map(\.index) where DecimalCommas.isNumber(cells[index]) {
            cells[index] = cells[index].replacing(",", with: ".")
        }
        return cells
    }

    private static func number(_ cell: String, _ what: String) throws(RouteFileError) -> Double {
        guard let value = PlainNumber.double(cell) else {
            throw RouteFileError("\(what): found \(RouteFileError.shown(cell)), expected a number with a decimal point")
        }
        return value
    }
}
