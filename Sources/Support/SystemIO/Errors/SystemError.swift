#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The system's error numbers as text.
package enum SystemError {
    /// The system's text for an `errno`, for the middle of a sentence: "no such file or directory".
    ///
    /// Safe on any thread, unlike `strerror`. An unknown number gives "error 12345".
    package static func text(_ number: Int32) -> String {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer -> String? in
            guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else { return nil }
            return String(cString: base)
        }
        guard let text, let first = text.unicodeScalars.first else { return "error \(number)" }
        let rest = text.unicodeScalars.dropFirst()
        // An abbreviation stays as it is.
        guard let second = rest.first, second.properties.isLowercase else { return text }
        return first.properties.lowercaseMapping + String(String.UnicodeScalarView(rest))
    }

    /// Bytes for the text; the longest of glibc has 50.
    private static let longest = 256
}
