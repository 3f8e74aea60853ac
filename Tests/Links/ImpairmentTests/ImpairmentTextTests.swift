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

    @Test(arguments: ["none", "delay=1500us", "loss=0.5%", "rate=64kbit", "blackout=300ms@1s", "rate=1.5mbit"])
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
        ("loss=1%,", "'' is not NAME=VALUE"),
    ])
    func `what is wrong is named`(text: String, expected: String) {
        let error = #expect(throws: ImpairmentError.self) { try Impairment(text) }
        #expect(error?.what.hasPrefix(expected) == true, "\(error?.what ?? "")")
    }
}
