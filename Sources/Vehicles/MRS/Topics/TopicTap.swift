internal import ROSDefinitions
internal import ROSMessages
internal import Synchronization
internal import UAVLink

/// One watched topic of a node: counts every message, decodes a few, and measures silence.
///
/// A small message that arrives too early after the one before is kept, so that the newest is shown in the end. A large
/// one is dropped, since copying every message of a flood would cost what the rate limit saves.
final class TopicTap: Sendable {
    private struct State {
        var meter = TopicRateMeter(["watched"])
        var decoder: DynamicDecoder?
        var decodedType = ""
        var definitionFault: String?
        var lastUpdateAt: MonotonicTime?
        var lastMessage: MonotonicTime?
        var kept: (bytes: [UInt8], header: ConnectionHeader)?
    }

    private static let period: Duration = .seconds(1 / TopicLimits.updatesPerSecond)
    private static let maximumKeptBytes = 64 * 1024

    private let clock: any MonotonicClock
    private let tell: @Sendable (TopicUpdate) -> Void
    private let state = Mutex(State())

    init(clock: any MonotonicClock, tell: @escaping @Sendable (TopicUpdate) -> Void) {
        self.clock = clock
        self.tell = tell
    }

    /// Takes a message, on the node's I/O thread.
    func take(_ bytes: [UInt8], _ range: Range<Int>, _ header: ConnectionHeader) {
        let now = clock.now
        let update = state.withLock { state -> TopicUpdate? in
            state.meter.count(0, at: now)
            state.lastMessage = now
            if let last = state.lastUpdateAt, now - last < Self.period {
                if range.count <= Self.maximumKeptBytes { state.kept = (Array(bytes[range]), header) }
                return nil
            }
            return Self.update(of: bytes, range, header, &state, now)
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
            return (Self.update(of: kept.bytes, kept.bytes.indices, kept.header, &state, now), silence)
        }
        if let update { tell(update) }
        return silence
    }

    /// Messages per second over the recent past.
    var hertz: Double? { state.withLock { Self.hertz(&$0, clock.now) } }

    private static func hertz(_ state: inout State, _ now: MonotonicTime) -> Double? {
        state.meter.rates(at: now)?.first?.measuredHertz
    }

    private static func update(
        of bytes: [UInt8], _ range: Range<Int>, _ header: ConnectionHeader, _ state: inout State, _ now: MonotonicTime
    ) -> TopicUpdate {
        state.lastUpdateAt = now
        state.kept = nil
        prepare(for: header, &state)
        let hertz = hertz(&state, now)
        guard let decoder = state.decoder else {
            return .silent("its definition cannot be read: \(state.definitionFault ?? "it has none")", hertz: hertz)
        }
        do throws(ROSDecodingError) {
            let preview = try decoder.preview(of: bytes, range: range, limits: TopicReading.limits)
            return .reading(TopicReading(preview, type: header.type, hertz: hertz))
        } catch {
            return .silent("its messages are not of the type \(header.type): \(error)", hertz: hertz)
        }
    }

    /// All publishers of a topic normally have one type; if one has another type, its own definition is used.
    private static func prepare(for header: ConnectionHeader, _ state: inout State) {
        let name = header.type + " " + header.md5
        guard state.decodedType != name else { return }
        state.decodedType = name
        do throws(DefinitionError) {
            state.decoder = try DynamicDecoder(typeName: header.type, definition: header.messageDefinition)
            state.definitionFault = nil
        } catch {
            state.decoder = nil
            state.definitionFault = "\(error)"
        }
    }
}
