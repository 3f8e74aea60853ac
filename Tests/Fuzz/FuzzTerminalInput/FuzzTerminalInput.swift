import FuzzKit
import TextScreen

/// Any bytes as what a terminal sends: the events are the same in any split, and what is held is bounded.
@main enum FuzzTerminalInput: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        var (whole, split) = (InputParser(), InputParser())
        let events = whole.feed(bytes)
        precondition(bytes.flatMap { split.feed([$0]) } == events)
        precondition(events.count <= bytes.count)
        precondition(whole.flush() == split.flush())
        precondition(!whole.isWaiting)
        var field = TextField()
        for event in events {
            switch event {
            case .key(let key): field.handle(key)
            case .paste(let text): field.insert(text)
            default: break
            }
            precondition((0...field.text.count).contains(field.cursor))
        }
        precondition(field.text.count <= TextField.longest)
    }
}
