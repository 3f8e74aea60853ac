/// A fixed-size buffer without bounds checks in release builds, for the inner loops. Unchecked `Sendable`: it is filled
/// before it is shared, or each thread fills a separate part.
final class Block<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ count: Int, _ value: Element) {
        base = .allocate(capacity: max(1, count))
        base.initialize(repeating: value, count: count)
        self.count = count
    }

    deinit { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        set {
            assert(index >= 0 && index < count)
            base[index] = newValue
        }
    }
}
