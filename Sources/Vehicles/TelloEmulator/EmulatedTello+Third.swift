/// What only the third edition has: settings of its video, propellers that cool it, and the expansion with a light and a range
/// finder of its own.
extension EmulatedTello {
    /// The commands of ``obeyThird(_:_:)``.
    static let thirdNames: Set<String> = [
        "motoron", "motoroff", "throwfly", "setfps", "setbitrate", "setresolution", "downvision", "reboot",
    ]

    mutating func obeyThird(_ name: String, _ words: [String]) {
        let number = words.count == 1 ? Int(words[0]) : nil
        var isRight = true
        switch name {
        case "motoron", "motoroff": isRight = activity == .standing && words.isEmpty
        case "throwfly":
            guard activity == .standing else { return answer("error", after: Self.soon) }
            return beginTakeOff()
        case "reboot": return restart()
        case "setfps": isRight = words.count == 1 && ["high", "middle", "low"].contains(words[0])
        case "setresolution": isRight = words.count == 1 && ["high", "low"].contains(words[0])
        case "setbitrate": isRight = number.map { (0...5).contains($0) } ?? false
        default: isRight = number.map { (0...1).contains($0) } ?? false
        }
        answer(isRight ? "ok" : "error", after: Self.soon)
    }

    /// A command that goes through to the expansion.
    mutating func obeyExpansion(_ words: [String]) {
        switch words.first {
        case "tof?": answer("tof \(rangeMillimetres)", after: Self.soon)
        case "version?": answer("esp32v1.0.0.33", after: Self.soon)
        case "led":
            let colour = words.dropFirst().compactMap { Int($0) }
            guard words.count == 4, colour.count == 3, colour.allSatisfy({ (0...255).contains($0) }) else {
                return answer("led error", after: Self.soon)
            }
            light = colour
            answer("led ok", after: Self.soon)
        case "mled": answer("matrix ok", after: Self.soon)
        default: answer("unknown command: EXT", after: Self.soon)
        }
    }

    /// What the range finder shows, millimetres; 100 on the floor.
    var rangeMillimetres: Int { max(100, Int(exactly: (body.z * 1000).rounded()) ?? 0) }
}
