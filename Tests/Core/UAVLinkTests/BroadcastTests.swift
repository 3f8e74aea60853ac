import Synchronization
import Testing
import UAVLink

@Suite struct Broadcasting {
    @Test func `a new reader gets the newest at once`() async {
        let broadcast = Broadcast<Int>()
        broadcast.send(1)
        broadcast.send(2)
        var reader = broadcast.stream().makeAsyncIterator()
        #expect(await reader.next() == 2)
        broadcast.send(3)
        #expect(await reader.next() == 3)
    }

    @Test func `a slow reader gets the newest and no queue`() async {
        let broadcast = Broadcast<Int>()
        let (slow, fast) = (broadcast.stream(), broadcast.stream())
        var quick = fast.makeAsyncIterator()
        for value in 0..<1000 {
            broadcast.send(value)
            #expect(await quick.next() == value)
        }
        var late = slow.makeAsyncIterator()
        #expect(await late.next() == 999)
        broadcast.finish()
        #expect(await late.next() == nil)
    }

    @Test func `the end reaches every reader, later ones too, and the last value stays`() async {
        let broadcast = Broadcast<Int>()
        let early = broadcast.stream()
        broadcast.send(1)
        broadcast.finish()
        broadcast.finish()
        broadcast.send(2)
        #expect(broadcast.latest == 1)
        var values: [Int] = []
        for await value in early { values.append(value) }
        #expect(values == [1])
        var again: [Int] = []
        for await value in broadcast.stream() { again.append(value) }
        #expect(again == [1])
    }

    @Test func `an observer gets every value within the call that sends it, until it is released`() {
        let broadcast = Broadcast<Int>()
        let seen = Values()
        broadcast.send(0)
        var observation: Observation? = broadcast.observe { seen.append($0) }
        for value in 1...3 { broadcast.send(value) }
        #expect(seen.all == [1, 2, 3])
        observation?.end()
        broadcast.send(4)
        observation = broadcast.observe { seen.append($0) }
        broadcast.send(5)
        observation = nil
        broadcast.send(6)
        #expect(seen.all == [1, 2, 3, 5] && observation == nil)
        let last = broadcast.observe { seen.append($0) }
        broadcast.finish()
        broadcast.send(7)
        #expect(seen.all == [1, 2, 3, 5])
        last.end()
    }

    @Test func `a reader that goes away is forgotten`() async {
        let broadcast = Broadcast<Int>()
        let reader = Task {
            for await _ in broadcast.stream() {}
        }
        reader.cancel()
        await reader.value
        broadcast.send(1)
        #expect(broadcast.latest == 1)
    }

    @Test func `values from many senders reach a reader whole`() async {
        let broadcast = Broadcast<[Int]>()
        let stream = broadcast.stream()
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask { for _ in 0..<500 { broadcast.send([sender, sender]) } }
            }
        }
        broadcast.finish()
        for await value in stream { #expect(value.count == 2 && value[0] == value[1]) }
        #expect(broadcast.latest != nil)
    }
}

private final class Values: Sendable {
    private let values = Mutex<[Int]>([])
    var all: [Int] { values.withLock { $0 } }
    func append(_ value: Int) { values.withLock { $0.append(value) } }
}
