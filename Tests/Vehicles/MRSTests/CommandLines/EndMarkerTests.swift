import MRS
import Testing

@Suite struct EndMarkerTests {
    @Test func `the mark is found in any split and its status read`() {
        let marker = EndMarker()
        let stream = Array("output without an end\(marker.text) 17\nrest".utf8)
        let expected = "output without an end".utf8.count
        for split in 1...stream.count {
            var (output, searched): ([UInt8], Int) = ([], 0)
            var found: Int?
            var rest = stream[...]
            while !rest.isEmpty {
                output += rest.prefix(split)
                rest = rest.dropFirst(split)
                found = found ?? marker.find(in: output, searched: &searched)
            }
            #expect(found == expected, "split \(split)")
            #expect(marker.status(in: output, at: expected) == 17)
        }
    }

    @Test func `no two marks are alike and a half is none`() {
        let marker = EndMarker()
        #expect(marker.text != EndMarker().text)
        var searched = 0
        #expect(marker.find(in: Array(marker.text.utf8.dropLast()), searched: &searched) == nil)
        let incomplete: Int32?? = marker.status(in: Array("\(marker.text) 1".utf8), at: 0)
        #expect(incomplete == nil)
    }
}
