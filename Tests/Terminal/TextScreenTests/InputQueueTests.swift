import Testing
import TextScreen

@Suite("The queue of the terminal's input")
struct InputQueueTests {
    private let queue = InputQueue(
        stops: { $0.key == .function(7) || $0.key == .function(8) },
        steers: { $0.key == .character("w") || $0.key == .up })

    private func push(_ events: InputEvent...) { for event in events { queue.push(TerminalInput(event, frame: 1)) } }

    /// What waits, in the order in which it comes.
    private func rest() async -> [InputEvent] {
        queue.push(TerminalInput(.focus(true), frame: 99))
        var events: [InputEvent] = []
        while let next = await queue.next(), next.frame != 99 { events.append(next.event) }
        return events
    }

    private func key(_ letter: Character) -> InputEvent { .key(.typed(letter)) }

    @Test("a stop comes first, and what was typed before it does not come at all")
    func stop() async {
        let letUp = InputEvent.key(KeyEvent(.character("w"), phase: .release))
        push(key("a"), .paste("text"), letUp, .mouse(MouseEvent(.press, row: 1, column: 1)), .deviceAttributes)
        push(.key(KeyEvent(.function(7))), key("b"))
        let first = await queue.next()
        #expect(first?.event == .key(KeyEvent(.function(7))) && first?.dropped == 3)
        #expect(await rest() == [letUp, .deviceAttributes, key("b")])
    }

    @Test("several stops keep their order, and a held one comes once")
    func stops() async {
        let (hover, land) = (InputEvent.key(KeyEvent(.function(7))), InputEvent.key(KeyEvent(.function(8))))
        push(key("a"), hover, hover, key("b"), land, key("y"))
        #expect(await rest() == [hover, land, key("y")])
        for _ in 0..<1000 { push(hover, land) }
        #expect(await rest() == [hover, land])
    }

    @Test("Space comes first where the vehicle is steered and nothing but steering waits")
    func space() async {
        push(key("w"), key(" "))
        #expect(await rest() == [key("w"), key(" ")])
        queue.setSpaceStops(true)
        push(key("w"), .key(KeyEvent(.up)), key(" "), key("w"))
        #expect(await rest() == [key(" "), key("w")])
        // It may be a part of what the first key begins.
        push(key(":"), key("x"), key(" "), key("y"))
        #expect(await rest() == [key(":"), key("x"), key(" "), key("y")])
    }

    @Test("its length is bounded, and what is dropped is counted")
    func longest() async {
        for _ in 0..<InputQueue.longest { push(key("a")) }
        push(key("b"))
        let next = await queue.next()
        #expect(next?.event == key("b") && next?.dropped == InputQueue.longest)
    }

    @Test("with the end, everything that waits is dropped but a stop, and nothing is taken any more")
    func end() async {
        push(key(" "), .key(KeyEvent(.function(7))), key("b"))
        queue.end()
        push(key("a"))
        #expect(await queue.next()?.event == .key(KeyEvent(.function(7))))
        #expect(await queue.next() == nil)
        #expect(queue.isEnded)
    }

    @Test("a task that is cancelled gets nothing of what waits")
    func cancelled() async {
        push(key(" "), key(" "))
        let queue = queue
        let reading = Task { await queue.next() }
        reading.cancel()
        #expect(await reading.value == nil)
    }
}
