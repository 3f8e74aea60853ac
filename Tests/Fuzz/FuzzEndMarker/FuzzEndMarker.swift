import FuzzKit
import MRS

/// Any bytes as the output of a warm shell, with end markers in it, in any split.
@main enum FuzzEndMarker: FuzzTarget {
    /// Checks an output in which each zero byte stands for the marker, split into chunks whose length is given by the first
    /// byte: whatever the split, the first marker must be found with the same status.
    static func test(_ bytes: [UInt8]) {
        guard let size = bytes.first else { return }
        // Its prefix equals its suffix, so that a partial marker may be the beginning of another.
        let marker = EndMarker(text: "ababc-abab")
        let output = bytes.dropFirst().flatMap { $0 == 0 ? marker.bytes : [$0] }
        var naive: Int?
        var start = 0
        while naive == nil, start + marker.bytes.count <= output.count {
            if Array(output[start..<start + marker.bytes.count]) == marker.bytes { naive = start }
            start += 1
        }
        var (seen, searched): ([UInt8], Int) = ([], 0)
        var (place, status): (Int?, Int32??) = (nil, nil)
        for start in stride(from: 0, to: output.count, by: Int(size) + 1) {
            seen += output[start..<min(start + Int(size) + 1, output.count)]
            place = place ?? marker.find(in: seen, searched: &searched)
            if status == nil, let place { status = marker.status(in: seen, at: place) }
        }
        precondition(
            place == naive, "the marker is at \(String(describing: naive)), not at \(String(describing: place))")
        precondition(status == naive.flatMap { marker.status(in: output, at: $0) }, "status differs")
    }
}
