import Impairment
import Testing

@Suite struct ImpairmentTextTests {
    @Test func `every part of the example is understood`() throws {
        let impairment = try Impairment(Impairment.example)
        #expect(
            impairment
                == Impairment(
                    delay: .milliseconds(20), jitter: .milliseconds(5), loss: 0.02, duplication: 0.01, reordering: 0.01,
                    bitsPerSecond: 2e6, blackout: .init(length: .seconds(2), at: .seconds(10))))
        #expect(impairment.text == Impairment.example)
    }

    /// FuzzImpairment found the first: 4.105 million bits were written, and half a millionth less was read.
    @Test(arguments: [
        "rate=4105kbit", "loss=0.0000004%", "loss=33.3333333333%", "rate=1234.56789kbit", "delay=0.0015ms",
    ])
    func `what was read is written as the same`(text: String) throws {
        let condition = try Impairment(text)
        let again = try Impairment(condition.text)
        #expect(again == condition)
    }

    @Test(arguments: [
        "none", "delay=1500us", "loss=0.5%", "rate=64kbit", "blackout=300ms@1s", "rate=1.5mbit",
        "jitter=5ms,correlation=75%", "loss=2%,burst=4.5", "rate=2mbit,queue=64kB", "loss=90%,burst=9",
        "up:loss=2%,down:rate=2mbit,down:queue=64kB", "down:delay=5ms", "rate=2mbit,queue=64kB,load=2",
        "up:rate=2mbit,up:load=1", "up:delay=5ms,blackout=1s@2s",
    ])
    func `what is written back is what was read`(text: String) throws {
        let impairment = try Impairment(text)
        #expect(impairment.text == text)
    }

    @Test(arguments: [
        ("delay", "'delay' is not NAME=VALUE"), ("delay=20", "delay: '20' is not a time"),
        ("delay=61s", "delay: '61s' is not a time"), ("delay=-1ms", "delay: '-1ms' is not a time"),
        ("delay=nans", "delay: 'nans' is not a time"), ("delay=0x10ms", "delay: '0x10ms' is not a time"),
        ("loss=101%", "loss: '101%' is not a percentage"),
        ("loss=2", "loss: '2' is not a percentage"), ("rate=2", "rate: '2' is not a rate"),
        ("rate=0mbit", "rate: '0mbit' is not a rate"), ("blackout=2s", "blackout: '2s' is not LENGTH@START"),
        ("speed=2", "unknown impairment 'speed'"), ("loss=1%,loss=2%", "'loss' is given twice"),
        ("left:loss=1%", "'left:loss' begins with neither"), ("loss=1%,down:loss=2%", "'loss' is given twice"),
        ("up:blackout=1s@1s", "blackout: always of both"), ("down:queue=64kB", "queue: without a rate"),
        ("loss=1%,", "'' is not NAME=VALUE"), ("burst=4", "burst: takes a loss="),
        ("loss=100%,burst=4", "burst: takes a loss="), ("loss=90%,burst=2", "burst: takes a loss="),
        ("loss=1%,burst=0.5", "burst: '0.5' is not how many"), ("correlation=50%", "correlation: that of the jitter"),
        ("queue=64kB", "queue: without a rate"), ("rate=1mbit,queue=64", "queue: '64' is not so much"),
        ("rate=1mbit,queue=1kB", "queue: '1kB' is not so much"), ("load=1", "load: without a bottleneck"),
        ("rate=1mbit,load=0", "load: '0' is not how many"), ("rate=1mbit,load=17", "load: '17' is not how many"),
        ("down:rate=1mbit,up:load=1", "load: without a bottleneck"),
    ])
    func `what is wrong is named`(text: String, expected: String) {
        let error = #expect(throws: ImpairmentError.self) { try Impairment(text) }
        #expect(error?.what.hasPrefix(expected) == true, "\(error?.what ?? "")")
    }

    @Test func `what competes does so one way or both, and takes packets`() throws {
        let upload = try Impairment("rate=2mbit,up:load=3")
        #expect(upload.competitors == 3 && upload.down.competitors == 0 && upload.hasLoad && upload.losesPackets)
        let download = try Impairment("rate=2mbit,down:load=1")
        #expect(download.competitors == 0 && download.down.competitors == 1 && download.hasLoad)
        #expect(try !Impairment("rate=2mbit").hasLoad)
    }

    @Test func `each way has its own, and what is not said to be of one is of both`() throws {
        let condition = try Impairment("delay=20ms,up:loss=2%,down:rate=1mbit,blackout=1s@2s")
        #expect(condition.delay == .milliseconds(20) && condition.loss == 0.02 && condition.bitsPerSecond == nil)
        #expect(condition.down.delay == .milliseconds(20) && condition.down.loss == 0)
        #expect(condition.down.bitsPerSecond == 1e6 && condition.down.blackout == condition.blackout)
        #expect(!condition.isSymmetric && condition.down.isSymmetric && condition.losesPackets)
        // The same for both ways, however it was written.
        let same = try Impairment("up:delay=5ms,down:delay=5ms")
        #expect(try same == Impairment("delay=5ms"))
        #expect(try Impairment("down:loss=1%").losesPackets && !Impairment("down:delay=1ms").isNone)
    }
}
