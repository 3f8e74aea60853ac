internal import ReportKit

/// A typed text is not a value of the expected kind: what was expected, and the likely word.
package struct ValueError: Error, Hashable, Sendable {
    /// What was expected, to be put after "expected": `a number from 0 to 10`.
    package let expected: String
    /// The word that was probably meant.
    package let suggestion: String?

    package init(expected: String, suggestion: String? = nil) {
        self.expected = expected
        self.suggestion = suggestion
    }
}

/// How a shell may complete a value.
package enum ValueCompletion: Hashable, Sendable {
    /// Not at all.
    case none
    /// One of these words.
    case words([String])
    /// The path of a file.
    case files
}

/// A kind of value: its name in help texts, how it is parsed and completed.
package struct ValueKind<Value: Sendable>: Sendable {
    /// The placeholder in a synopsis, for example `SECONDS`.
    package let placeholder: String
    /// How a shell may complete it.
    package let completion: ValueCompletion
    /// Parses a value.
    package let read: @Sendable (String) throws(ValueError) -> Value

    /// Creates a kind of value.
    package init(
        placeholder: String, completion: ValueCompletion = .none,
        read: @escaping @Sendable (String) throws(ValueError) -> Value
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.read = read
    }

    /// The same kind with another placeholder.
    package func called(_ placeholder: String) -> Self {
        Self(placeholder: placeholder, completion: completion, read: read)
    }
}

extension ValueKind where Value == String {
    /// Any non-empty text.
    package static var text: Self {
        Self(placeholder: "TEXT") { text throws(ValueError) in
            guard !text.isEmpty else { throw ValueError(expected: "text") }
            return text
        }
    }

    /// The path of a file.
    package static var path: Self {
        Self(placeholder: "FILE", completion: .files) { text throws(ValueError) in
            guard !text.isEmpty else { throw ValueError(expected: "a path") }
            return text
        }
    }

    /// One of these words.
    package static func choice(_ words: [String]) -> Self {
        Self(placeholder: words.joined(separator: "|"), completion: .words(words)) { text throws(ValueError) in
            guard words.contains(text) else { throw invalidChoice(of: words, text) }
            return text
        }
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of an enumeration's raw values.
    package static var choice: Self {
        let words = Value.allCases.map(\.rawValue)
        return Self(placeholder: words.joined(separator: "|"), completion: .words(words)) { text throws(ValueError) in
            guard let value = Value(rawValue: text) else { throw invalidChoice(of: words, text) }
            return value
        }
    }
}

extension ValueKind where Value == Int {
    /// A whole number within a range.
    package static func integer(in range: ClosedRange<Int> = .min ... .max) -> Self {
        Self(placeholder: "N") { text throws(ValueError) in
            guard let value = Int(text), range.contains(value) else {
                let bounds = range == .min ... .max ? "" : " from \(range.lowerBound) to \(range.upperBound)"
                throw ValueError(expected: "a whole number" + bounds)
            }
            return value
        }
    }
}

extension ValueKind where Value == Double {
    /// A finite number within a range; `unit` is used in errors (`metres`).
    package static func number(in range: ClosedRange<Double>? = nil, unit: String = "") -> Self {
        Self(placeholder: "NUMBER") { text throws(ValueError) in
            guard let value = Double(decimal: text), range?.contains(value) ?? true else {
                let bounds = range.map { " from \(short($0.lowerBound)) to \(short($0.upperBound))" } ?? ""
                throw ValueError(expected: "a finite number" + (unit.isEmpty ? "" : " of \(unit)") + bounds)
            }
            return value
        }
    }

    /// An angle in degrees, typed as `90`, `-45.5` or `90deg`; the value is in degrees, too.
    package static func degrees(in range: ClosedRange<Double> = -360...360) -> Self {
        Self(placeholder: "DEGREES") { text throws(ValueError) in
            let bare = ["°", "deg"].first { text.hasSuffix($0) }.map { String(text.dropLast($0.count)) } ?? text
            guard let value = Double(decimal: bare), range.contains(value) else {
                throw ValueError(
                    expected: "an angle from \(short(range.lowerBound)) to \(short(range.upperBound)) degrees")
            }
            return value
        }
    }
}

extension ValueKind where Value == Duration {
    /// A duration with its unit: `200ms`, `3s`, `1.5s`, `2min`, `500us`.
    package static func duration(in range: ClosedRange<Duration> = .zero ... .seconds(86_400)) -> Self {
        Self(placeholder: "DURATION") { text throws(ValueError) in
            guard let value = DurationText.read(text), range.contains(value) else {
                let bounds = "\(DurationText.written(range.lowerBound)) to \(DurationText.written(range.upperBound))"
                throw ValueError(expected: "a duration from \(bounds), such as 200ms, 1.5s or 2min")
            }
            return value
        }
    }
}

private func invalidChoice(of words: [String], _ text: String) -> ValueError {
    ValueError(expected: words.joined(separator: ", "), suggestion: Suggestion.nearest(to: text, among: words))
}

/// A number without a trailing `.0`.
private func short(_ number: Double) -> String {
    number.description.hasSuffix(".0") ? String(number.description.dropLast(2)) : number.description
}
