import CommandLineKit
import ReportKit
import Planning
import UAVLink

/// Finite numbers between commas; `nil` for anything else, or another count.
private func numbers(_ text: String, _ count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double(decimal: $0) }
    return parts.count == count && numbers.count == count ? numbers : nil
}

extension ValueKind where Value == Vector3 {
    /// Three numbers, metres: `1,-0.5,1.2`.
    static var place: Self {
        Self(placeholder: "X,Y,Z") { text throws(ValueError) in
            guard let numbers = numbers(text, 3) else {
                throw ValueError(expected: "three numbers of metres, such as 1,-0.5,1.2")
            }
            return Vector3(x: numbers[0], y: numbers[1], z: numbers[2])
        }
    }
}

extension ValueKind where Value == Planning.MapOptions.Box {
    /// Two opposite corners, metres: `0,0,0,10,8,3`.
    static var box: Self {
        Self(placeholder: "X,Y,Z,X,Y,Z") { text throws(ValueError) in
            guard let ends = numbers(text, 6) else {
                throw ValueError(expected: "two corners of three numbers of metres, such as 0,0,0,10,8,3")
            }
            return Planning.MapOptions.Box(
                low: Vector3(x: min(ends[0], ends[3]), y: min(ends[1], ends[4]), z: min(ends[2], ends[5])),
                high: Vector3(x: max(ends[0], ends[3]), y: max(ends[1], ends[4]), z: max(ends[2], ends[5])))
        }
    }
}
