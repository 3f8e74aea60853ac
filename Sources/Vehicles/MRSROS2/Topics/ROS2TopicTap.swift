internal import MRS
internal import ROS2
internal import ROSDefinitions
internal import ROSMessages
internal import Synchronization
internal import UAVLink

/// One watched topic: counts every message, decodes a few, and measures silence. What `TopicTap` is for ROS 1.
final class ROS2TopicTap: Sendable {
    private struct State {
        var meter = TopicRateMeter(["watched"])
        var decoder: CDRDynamicDecoder?
        var fault = "its type is not described yet"
        var lastUpdateAt: MonotonicTime?
        var lastMessage: MonotonicTime?
        var kept: [UInt8]?
    }

    private static let period: Duration = .seconds(1 / TopicLimits.updatesPerSecond)
    private static let maximumKeptBytes = 64 * 1024

    private let typeName: String
    private let clock: any MonotonicClock
    private let tell: @Sendable (TopicUpdate) -> Void
    private let state = Mutex(State())

    init(typeName: String, clock: any MonotonicClock, tell: @escaping @Sendable (TopicUpdate) -> Void) {
        (self.typeName, self.clock, self.tell) = (typeName, clock, tell)
    }

    /// How the messages are decoded, or why they cannot be.
    func use(_ description: Result<TypeDescription, InterfaceError>) {
        state.withLock { state in
            do throws(InterfaceError) {
                state.decoder = try CDRDynamicDecoder(try description.get())
            } catch { state.fault = "\(error)" }
        }
    }

    /// Takes a message, on the session's I/O thread.
    func take(_ bytes: [UInt8], _ range: Range<Int>) {
        let now = clock.now
        let update = state.withLock { state -> TopicUpdate? in
            state.meter.count(0, at: now)
            state.lastMessage = now
            if let last = state.lastUpdateAt, now - last < Self.period {
                if range.count <= Self.maximumKeptBytes { state.kept = Array(bytes[range]) }
                return nil
            }
            return self.update(of: Array(bytes[range]), &state, now)
        }
        if let update { tell(update) }
    }

    /// Passes on the kept message when it is due.
    ///
    /// - Returns: the time since the newest message; `nil` if there was none.
    func tick() -> Duration? {
        let now = clock.now
        let (update, silence) = state.withLock { state -> (TopicUpdate?, Duration?) in
            let silence = state.lastMessage.map { now - $0 }
            guard let kept = state.kept, state.lastUpdateAt.map({ now - $0 >= Self.period }) ?? true else {
                return (nil, silence)
            }
            return (self.update(of: kept, &state, now), silence)
        }
        if let update { tell(update) }
        return silence
    }

    /// Messages per second over the recent past.
    var hertz: Double? { state.withLock { Self.hertz(&$0, clock.now) } }

    private static func hertz(_ state: inout State, _ now: MonotonicTime) -> Double? {
        state.meter.rates(at: now)?.first?.measuredHertz
    }

    private func update(of bytes: [UInt8], _ state: inout State, _ now: MonotonicTime) -> TopicUpdate {
        (state.lastUpdateAt, state.kept) = (now, nil)
        let hertz = Self.hertz(&state, now)
        guard let decoder = state.decoder else {
            return .silent("its messages cannot be read: \(state.fault)", hertz: hertz)
        }
        do throws(ROSDecodingError) {
            var list = FieldList()
            list.add(try decoder.decode(bytes).value, at: "")
            return .reading(
                TopicReading(type: typeName, fields: list.fields, isShortened: list.isShortened, hertz: hertz))
        } catch {
            return .silent("its messages are not of the type \(typeName): \(error)", hertz: hertz)
        }
    }
}

/// The first fields of a message with the first elements of each array, as text.
private struct FieldList {
    private(set) var fields: [TopicField] = []
    private(set) var isShortened = false

    mutating func add(_ value: DynamicValue, at path: String) {
        guard fields.count < TopicLimits.fields else {
            isShortened = true
            return
        }
        switch value {
        case .record(let parts):
            for part in parts { add(part.value, at: path.isEmpty ? part.name : "\(path).\(part.name)") }
        case .list(let elements): add(elements.prefix(TopicLimits.elements), of: elements.count, at: path)
        case .bytes(let bytes):
            add(bytes.prefix(TopicLimits.elements).map { .unsigned(UInt64($0)) }[...], of: bytes.count, at: path)
        default:
            let words = FieldText.words(value, isDegrees: FieldText.isDegrees(path))
            isShortened = isShortened || words.count > TopicLimits.characters
            fields.append(TopicField(path: path, value: String(words.prefix(TopicLimits.characters))))
        }
    }

    private mutating func add(_ first: ArraySlice<DynamicValue>, of count: Int, at path: String) {
        fields.append(TopicField(path: path, value: count == 1 ? "1 element" : "\(count) elements"))
        for (index, element) in first.enumerated() { add(element, at: "\(path)[\(index)]") }
        isShortened = isShortened || count > first.count
    }
}
