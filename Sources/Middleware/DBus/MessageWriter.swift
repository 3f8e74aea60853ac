#if os(Linux)
    internal import CSystemd

    /// Writes the arguments of a call.
    struct MessageWriter {
        let library: BusLibrary
        let message: BusLibrary.Handle

        /// Writes values; `false` for what cannot be written.
        func write(_ values: [DBusValue]) -> Bool { values.allSatisfy(write) }

        private func write(_ value: DBusValue) -> Bool {
            switch value {
            case .bool(let truth):
                var number: Int32 = truth ? 1 : 0
                return library.append(message, Self.type("b"), &number) >= 0
            case .string(let text): return text.withCString { library.append(message, Self.type("s"), $0) >= 0 }
            case .bytes(let bytes):
                return bytes.withUnsafeBytes {
                    library.appendArray(message, Self.type("y"), $0.baseAddress, $0.count) >= 0
                }
            case .list(let values): return container("a", "s") { values.allSatisfy { $0.string != nil && write($0) } }
            case .dictionary(let entries):
                return container("a", "{sv}") {
                    entries.sorted { $0.key < $1.key }.allSatisfy { key, value in
                        container("e", "sv") {
                            guard let signature = Self.signature(of: value) else { return false }
                            return write(.string(key)) && container("v", signature) { write(value) }
                        }
                    }
                }
            case .integer, .large, .double, .other: return false
            }
        }

        private static func signature(of value: DBusValue) -> String? {
            switch value {
            case .bool: "b"
            case .string: "s"
            case .bytes: "ay"
            case .list: "as"
            case .dictionary: "a{sv}"
            case .integer, .large, .double, .other: nil
            }
        }

        private func container(_ type: Unicode.Scalar, _ inside: String, _ body: () -> Bool) -> Bool {
            library.openContainer(message, Self.type(type), inside) >= 0 && body()
                && library.closeContainer(message) >= 0
        }

        private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }
    }
#endif
