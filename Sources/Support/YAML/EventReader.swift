internal import CYAML

/// An event of libyaml, without pointers.
enum YAMLEvent {
    case streamStart, streamEnd, documentStart, documentEnd
    case alias(String)
    case scalar(text: String, isPlain: Bool, anchor: String?, tag: String?)
    case sequenceStart(anchor: String?, tag: String?)
    case sequenceEnd
    case mappingStart(anchor: String?, tag: String?)
    case mappingEnd
}

/// Owns a libyaml parser and its input.
final class EventReader {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let isInitialised: Bool

    init(_ bytes: some Collection<UInt8>) throws(YAMLError) {
        input = .allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        isInitialised = yaml_parser_initialize(parser) != 0
        guard isInitialised else { throw YAMLError(.tooLarge, at: nil, "out of memory while parsing YAML") }
        // libyaml needs an address even for empty input.
        if let start = input.baseAddress {
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, start, input.count)
        }
    }

    deinit {
        if isInitialised { yaml_parser_delete(parser) }
        parser.deinitialize(count: 1)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event and its position.
    func next() throws(YAMLError) -> (event: YAMLEvent, at: YAMLPosition) {
        var raw = yaml_event_t()
        guard yaml_parser_parse(parser, &raw) != 0 else { throw failure() }
        defer { yaml_event_delete(&raw) }
        let position = YAMLPosition(raw.start_mark)
        switch raw.type {
        case YAML_STREAM_START_EVENT: return (.streamStart, position)
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return (.streamEnd, position)
        case YAML_DOCUMENT_START_EVENT: return (.documentStart, position)
        case YAML_DOCUMENT_END_EVENT: return (.documentEnd, position)
        case YAML_ALIAS_EVENT: return (.alias(text(raw.data.alias.anchor) ?? ""), position)
        case YAML_SCALAR_EVENT:
            let scalar = raw.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.value == nil ? 0 : scalar.length)
            return (
                .scalar(
                    text: String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
                    anchor: text(scalar.anchor), tag: text(scalar.tag)), position
            )
        case YAML_SEQUENCE_START_EVENT:
            let start = raw.data.sequence_start
            return (.sequenceStart(anchor: text(start.anchor), tag: text(start.tag)), position)
        case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, position)
        case YAML_MAPPING_START_EVENT:
            let start = raw.data.mapping_start
            return (.mappingStart(anchor: text(start.anchor), tag: text(start.tag)), position)
        case YAML_MAPPING_END_EVENT: return (.mappingEnd, position)
        default: throw YAMLError(.syntax, at: position, "this is not YAML")
        }
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func failure() -> YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "this is not YAML"
        if parser.pointee.error == YAML_MEMORY_ERROR {
            return YAMLError(.tooLarge, at: nil, "out of memory while parsing YAML")
        }
        if parser.pointee.error == YAML_READER_ERROR {
            // libyaml has no line for it.
            let before = input.prefix(Int(parser.pointee.problem_offset))
            let column = before.reversed().prefix { $0 != 0x0A }.filter { $0 & 0xC0 != 0x80 }.count + 1
            return YAMLError(
                .syntax, at: YAMLPosition(line: before.filter { $0 == 0x0A }.count + 1, column: column), problem)
        }
        let context = parser.pointee.context.map { " (\(String(cString: $0)))" } ?? ""
        return YAMLError(.syntax, at: YAMLPosition(parser.pointee.problem_mark), problem + context)
    }
}

extension YAMLPosition {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line &+ 1, column: mark.column &+ 1)
    }
}
