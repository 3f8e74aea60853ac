#if os(Linux)
    internal import CSystemd

    /// Reads the values of a message. sd-bus has checked the message; here its size is bounded.
    struct MessageReader {
        /// How deep values may lie in one another: BlueZ needs six.
        static let deepest = 16
        /// The most values of a message: those of a thousand devices.
        static let mostValues = 100_000

        private enum Trouble: Error { case unreadable }

        private let library: BusLibrary
        private let message: BusLibrary.Handle
        private var count = 0

        init(_ library: BusLibrary, _ message: BusLibrary.Handle) {
            self.library = library
            self.message = message
        }

        /// All values; `nil` for what is no valid message, or too large.
        mutating func values() -> [DBusValue]? {
            do { return try list(depth: 0) } catch { return nil }
        }

        private mutating func list(depth: Int) throws -> [DBusValue] {
            var values: [DBusValue] = []
            while let value = try value(depth: depth) { values.append(value) }
            return values
        }

        /// The next value; `nil` at the end of a container.
        private mutating func value(depth: Int) throws -> DBusValue? {
            var (type, contents): (CChar, BusLibrary.Text?) = (0, nil)
            let result = library.peek(message, &type, &contents)
            guard result >= 0 else { throw Trouble.unreadable }
            guard result > 0 else { return nil }
            count += 1
            guard depth <= Self.deepest, count <= Self.mostValues else { throw Trouble.unreadable }
            // The text is the message's own, and is gone after the next look.
            let inside = contents.map { String(cString: $0) } ?? ""
            switch Character(UnicodeScalar(UInt8(bitPattern: type))) {
            case "b": return .bool(try number(type, Int32(0)) != 0)
            case "y": return .integer(Int64(try number(type, UInt8(0))))
            case "n": return .integer(Int64(try number(type, Int16(0))))
            case "q": return .integer(Int64(try number(type, UInt16(0))))
            case "i": return .integer(Int64(try number(type, Int32(0))))
            case "u": return .integer(Int64(try number(type, UInt32(0))))
            case "x": return .integer(try number(type, Int64(0)))
            case "t":
                let value = try number(type, UInt64(0))
                return Int64(exactly: value).map { .integer($0) } ?? .large(value)
            case "d": return .double(try number(type, Double(0)))
            case "s", "o", "g": return .string(try text(type))
            case "a" where inside == "y": return .bytes(try bytes())
            case "a" where inside.hasPrefix("{"): return try dictionary(inside, depth)
            case "a", "r": return .list(try container(type, inside) { me throws in try me.list(depth: depth + 1) })
            case "v": return try container(type, inside) { me throws in try me.value(depth: depth + 1) ?? .other }
            default:
                guard library.skip(message, nil) >= 0 else { throw Trouble.unreadable }
                return .other
            }
        }

        private func number<Number: BitwiseCopyable>(_ type: CChar, _ start: Number) throws -> Number {
            var value = start
            guard library.read(message, type, &value) > 0 else { throw Trouble.unreadable }
            return value
        }

        private func text(_ type: CChar) throws -> String {
            var pointer: BusLibrary.Text?
            guard library.read(message, type, &pointer) > 0, let pointer else { throw Trouble.unreadable }
            return String(cString: pointer)
        }

        private func bytes() throws -> [UInt8] {
            var (start, size): (UnsafeRawPointer?, Int) = (nil, 0)
            guard library.readArray(message, CChar(UInt8(ascii: "y")), &start, &size) >= 0 else {
                throw Trouble.unreadable
            }
            return start.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: max(size, 0))) } ?? []
        }

        private mutating func dictionary(_ inside: String, _ depth: Int) throws -> DBusValue {
            // "{sv}": an entry of s and v.
            let entry = String(inside.dropFirst().dropLast())
            guard let key = inside.dropFirst().first, key == "s" || key == "o" else {
                guard library.skip(message, "a" + inside) >= 0 else { throw Trouble.unreadable }
                return .other
            }
            let pairs = try container(CChar(UInt8(ascii: "a")), inside) { me throws in
                var pairs: [String: DBusValue] = [:]
                while let pair = try me.entry(entry, depth + 1) { pairs[pair.0] = pair.1 }
                return pairs
            }
            return .dictionary(pairs)
        }

        private mutating func entry(_ inside: String, _ depth: Int) throws -> (String, DBusValue)? {
            let type = CChar(UInt8(ascii: "e"))
            let result = library.enter(message, type, inside)
            guard result >= 0 else { throw Trouble.unreadable }
            guard result > 0 else { return nil }
            guard let key = try value(depth: depth)?.string, let value = try value(depth: depth),
                library.exit(message) >= 0
            else { throw Trouble.unreadable }
            return (key, value)
        }

        private mutating func container<Value>(
            _ type: CChar, _ inside: String, _ body: (inout Self) throws -> Value
        ) throws -> Value {
            guard library.enter(message, type, inside) > 0 else { throw Trouble.unreadable }
            let value = try body(&self)
            guard library.exit(message) >= 0 else { throw Trouble.unreadable }
            return value
        }
    }
#endif
