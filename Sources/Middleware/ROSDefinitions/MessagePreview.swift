public import ROSMessages

/// The first fields of a message of any type, with the first elements of each array: a bounded part for display,
/// independent of the size of the message.
public struct MessagePreview: Hashable, Sendable {
    /// The bounds of a preview.
    public struct Limits: Hashable, Sendable {
        /// The most fields in total.
        public var fields: Int
        /// The most elements of each array.
        public var elements: Int
        /// The most bytes of each string.
        public var textBytes: Int

        /// Creates limits.
        public init(fields: Int, elements: Int, textBytes: Int) {
            self.fields = fields
            self.elements = elements
            self.textBytes = textBytes
        }
    }

    /// A field.
    public struct Field: Hashable, Sendable {
        /// The path: `pose.position.x`, `ranges[3]`.
        public let path: String
        /// The content.
        public let content: Content
    }

    /// The content of a field.
    public enum Content: Hashable, Sendable {
        /// A built-in value; a string may be truncated.
        case value(DynamicValue)
        /// An array of that many elements; the first ones follow as separate fields.
        case array(count: Int)
    }

    /// The fields in the order of the definition.
    public internal(set) var fields: [Field] = []
    /// Whether fields were left out.
    public internal(set) var isShortened = false
}

extension DynamicDecoder {
    /// Decodes the first fields of a message. Array elements beyond the limit are skipped, mostly without decoding them, and
    /// nothing after the last field of the preview is read.
    ///
    /// - Parameter range: the range of the message in `bytes`.
    /// - Throws: ``ROSDecodingError`` when the bytes end too early, a length is impossible, or too many values must be skipped.
    public func preview(
        of bytes: [UInt8], range: Range<Int>, limits: MessagePreview.Limits
    ) throws(ROSDecodingError) -> MessagePreview {
        var walk = PreviewDecoder(records: records, reader: ROSReader(bytes, range: range), limits: limits)
        try walk.record(0, at: "")
        return walk.preview
    }
}

private struct PreviewDecoder {
    let records: [DynamicDecoder.Record]
    var reader: ROSReader
    let limits: MessagePreview.Limits
    var preview = MessagePreview()
    /// How many more values may be skipped one by one; bounds the work for a malicious message.
    private var remainingValues = DynamicDecoder.maximumValues

    init(records: [DynamicDecoder.Record], reader: ROSReader, limits: MessagePreview.Limits) {
        self.records = records
        self.reader = reader
        self.limits = limits
    }

    private var isFull: Bool { preview.isShortened }

    private mutating func add(_ path: String, _ content: MessagePreview.Content) {
        guard preview.fields.count < limits.fields else {
            preview.isShortened = true
            return
        }
        preview.fields.append(MessagePreview.Field(path: path, content: content))
    }

    mutating func record(_ place: Int, at path: String) throws(ROSDecodingError) {
        for field in records[place].fields {
            guard !isFull else { return }
            let inner = path.isEmpty ? field.name : "\(path).\(field.name)"
            switch field.count {
            case .one: try element(field.element, at: inner)
            case .fixed(let count): try array(field.element, count: count, at: inner)
            case .any:
                let count = try reader.readCount(minimumElementSize: minimumSize(of: field.element))
                try array(field.element, count: count, at: inner)
            }
        }
    }

    private mutating func array(
        _ element: DynamicDecoder.Record.Element, count: Int, at path: String
    ) throws(ROSDecodingError) {
        add(path, .array(count: count))
        let shown = min(count, limits.elements)
        for index in 0..<shown {
            guard !isFull else { return }
            try self.element(element, at: "\(path)[\(index)]")
        }
        guard !isFull else { return }
        try pass(element, count: count - shown)
    }

    private mutating func element(
        _ element: DynamicDecoder.Record.Element, at path: String
    ) throws(ROSDecodingError) {
        switch element {
        case .record(let place): try record(place, at: path)
        case .builtin(let type): add(path, .value(try value(type)))
        }
    }

    private mutating func value(_ type: BuiltinType) throws(ROSDecodingError) -> DynamicValue {
        // Only the beginning of a long string is kept.
        try type == .string ? .text(text()) : reader.readValue(type)
    }

    private mutating func text() throws(ROSDecodingError) -> String {
        let count = try reader.readCount(minimumElementSize: 1)
        let whole = try reader.readRaw(count: count)
        let text = String(decoding: whole.prefix(limits.textBytes), as: UTF8.self)
        return whole.count > limits.textBytes ? text + "…" : text
    }

    // MARK: Skipping

    private mutating func spend() throws(ROSDecodingError) {
        remainingValues -= 1
        guard remainingValues >= 0 else {
            throw ROSDecodingError(
                "more than \(DynamicDecoder.maximumValues) values in one message", at: reader.offset)
        }
    }

    private func minimumSize(of element: DynamicDecoder.Record.Element) -> Int {
        switch element {
        case .builtin(let type): type.minimumSize
        case .record(let place): records[place].minimumSize
        }
    }

    private mutating func pass(
        _ element: DynamicDecoder.Record.Element, count: Int
    ) throws(ROSDecodingError) {
        guard count > 0 else { return }
        try spend()
        let isFixed: Bool
        switch element {
        case .builtin(let type): isFixed = type != .string
        case .record(let place): isFixed = records[place].isFixed
        }
        if isFixed {
            let (size, isTooMuch) = count.multipliedReportingOverflow(by: minimumSize(of: element))
            guard !isTooMuch, size <= reader.remaining else {
                throw ROSDecodingError("the bytes end within an array of \(count) elements", at: reader.offset)
            }
            _ = try reader.readRaw(count: size)
            return
        }
        for _ in 0..<count {
            try spend()
            switch element {
            case .builtin: _ = try reader.readRaw(count: try reader.readCount(minimumElementSize: 1))
            case .record(let place):
                for field in records[place].fields {
                    switch field.count {
                    case .one: try pass(field.element, count: 1)
                    case .fixed(let inner): try pass(field.element, count: inner)
                    case .any:
                        let inner = try reader.readCount(minimumElementSize: minimumSize(of: field.element))
                        try pass(field.element, count: inner)
                    }
                }
            }
        }
    }
}
