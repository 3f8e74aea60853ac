import FuzzKit
import Zenoh

/// Any bytes as what a router sends once its session is open: the split makes no difference, and every range that a
/// message names lies in its bytes.
@main enum FuzzZenoh: FuzzTarget {
    private static let opening: [UInt8] = [8, 0, 0x61, 9, 0, 1, 0x0A, 0, 0xC0, 0, 3, 0, 0x62, 0x0A, 0]
    private static let now = Duration.zero

    static func test(_ bytes: [UInt8]) {
        let step = Int(bytes.first ?? 0) % 17 + 1
        precondition(events(bytes, step: step) == events(bytes, step: .max))
    }

    private static func events(_ bytes: [UInt8], step: Int) -> [String] {
        guard let id = ZenohID([1]) else { return [] }
        var settings = SessionMachine.Settings(id: id)
        settings.maximumMessageBytes = 1 << 16
        var machine = SessionMachine(settings, now: now)
        var found: [String] = []
        do {
            try feed(&machine, opening, &found)
            var start = 0
            while start < bytes.count {
                let part = Array(bytes[start...].prefix(step))
                start += part.count
                try feed(&machine, part, &found)
            }
        } catch { found.append("\(error)") }
        return found
    }

    private static func feed(
        _ machine: inout SessionMachine, _ bytes: [UInt8], _ found: inout [String]
    ) throws(ZenohError) {
        bytes.withUnsafeBytes { machine.receive($0, now: now) }
        while let event = try machine.next(now: now) {
            switch event {
            case .opened: found.append("opened")
            case .message(let message, let key, let bytes):
                found.append((key?.text(in: bytes) ?? "") + look(message, bytes))
            }
        }
    }

    /// Reads all that a message names.
    private static func look(_ message: NetworkMessage, _ bytes: [UInt8]) -> String {
        func text(_ range: Range<Int>?) -> String { range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "-" }
        switch message {
        case .push(_, _, let publication), .response(_, _, .value(let publication)):
            return text(publication.payload) + text(publication.attachment) + text(publication.schema)
        case .request(let request):
            return text(request.payload) + text(request.attachment) + text(request.parameters) + text(request.schema)
        case .response(_, _, .failure(_, let payload)): return text(payload)
        case .declare, .interest, .responseFinal, .skipped: return "declaration"
        }
    }
}
