import Testing

@testable import SSHTransport

@Suite struct UploadWindowTests {
    /// The longest time between two confirmations of an upload over a link of this rate without a round trip, seconds: the client
    /// fills its window before it reads the next confirmation.
    private func longestSilence(bytes: Int, bytesPerSecond: Double) -> Double {
        var window = UploadWindow()
        var left = (bytes + UploadWindow.piece - 1) / UploadWindow.piece
        var pending = 0
        var longest = 0.0
        while left > 0 || pending > 0 {
            let sent = min(left, window.pendingWrites - pending)
            left -= sent
            pending += sent
            longest = max(longest, Double(sent * UploadWindow.piece) / bytesPerSecond)
            pending -= 1
            window.confirmed()
        }
        return longest
    }

    @Test(arguments: [500_000.0, 64_000])
    func `a slow link confirms something long before an upload counts as stalled`(bitsPerSecond: Double) {
        // That is after 20 s.
        #expect(longestSilence(bytes: 12_000_000, bytesPerSecond: bitsPerSecond / 8) < 17)
    }

    @Test func `it grows to what a fast link needs, and no further`() {
        var window = UploadWindow()
        for _ in 0..<1000 { window.confirmed() }
        #expect(window.pendingWrites == 64)
    }
}
