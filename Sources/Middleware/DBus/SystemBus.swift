#if os(Linux)
    internal import CSystemd
    internal import Glibc
    internal import Synchronization
    internal import SystemIO

    /// A connection to the system's bus, or to the one at an address.
    ///
    /// It needs no callbacks of sd-bus: what it does not handle itself it hands out, answers to calls without a callback too.
    package final class SystemBus: MessageBus {
        /// The variable that names another system bus.
        package static let variable = "DBUS_SYSTEM_BUS_ADDRESS"
        /// The most steps of sd-bus, and messages that nobody reads, from one event to the next: more are a flood, not a bus.
        private static let mostUnread = 10_000
        private static let usual = "unix:path=/run/dbus/system_bus_socket"

        private let library: BusLibrary
        /// The address of sd-bus' object; 0 once it is closed.
        private let bus: Mutex<UInt>

        /// Begins to connect.
        ///
        /// - Parameter address: as D-Bus writes addresses; `nil` for that of the environment, or the usual one.
        /// - Throws: ``BusFailure``: no library, no bus, no permission.
        package init(address: String? = nil) throws(BusFailure) {
            library = try BusLibrary.loaded.get()
            let place = address ?? getenv(Self.variable).map { String(cString: $0) } ?? Self.usual
            var handle: BusLibrary.Handle?
            var result = library.create(&handle)
            for step in [
                { [library] in library.setAddress(handle, place) }, { [library] in library.setClient(handle, 1) },
                { [library] in library.start(handle) },
            ] where result >= 0 { result = step() }
            guard result >= 0, let handle else {
                _ = library.release(handle)
                throw Self.failure(-result, place)
            }
            bus = Mutex(UInt(bitPattern: handle))
        }

        deinit { close() }

        private static func failure(_ number: Int32, _ place: String) -> BusFailure {
            switch number {
            case ENOENT, ECONNREFUSED:
                BusFailure(
                    "there is no system bus at \(place)",
                    hint: "is dbus running here? in a container its socket must be mounted")
            case EACCES, EPERM:
                BusFailure("no permission to use the system bus at \(place)", hint: "run it as a user who may")
            case EINVAL:
                BusFailure("'\(place)' is no address of a bus", hint: "unset \(variable)")
            default:
                BusFailure(
                    "cannot reach the system bus at \(place): \(SystemError.text(number))", hint: "is dbus running?")
            }
        }

        private func ended(_ result: Int32) -> BusFailure {
            switch -result {
            case EACCES, EPERM: BusFailure("the system bus refuses this user", hint: "run it as a user who may")
            case ENOTCONN, ECONNRESET, EPIPE:
                BusFailure("the system bus has ended the connection", hint: "is dbus running?")
            case let number: BusFailure("the system bus fails: \(SystemError.text(number))", hint: "is dbus running?")
            }
        }

        package var descriptor: Int32 {
            bus.withLock { $0 == 0 ? -1 : max(library.descriptor(OpaquePointer(bitPattern: $0)), -1) }
        }

        package var wantsWriting: Bool {
            bus.withLock { bus in
                guard bus != 0 else { return false }
                let events = library.events(OpaquePointer(bitPattern: bus))
                return events > 0 && events & Int32(POLLOUT) != 0
            }
        }

        package func send(_ call: DBusCall) throws(BusFailure) -> UInt64 {
            try bus.withLock { bus throws(BusFailure) in
                guard let handle = OpaquePointer(bitPattern: bus) else { throw ended(-ENOTCONN) }
                var message: BusLibrary.Handle?
                let made = library.newCall(handle, &message, call.destination, call.path, call.interface, call.member)
                defer { _ = library.releaseMessage(message) }
                guard made >= 0, let message, MessageWriter(library: library, message: message).write(call.arguments)
                else {
                    throw made == -ENOTCONN
                        ? ended(made) : BusFailure("the call \(call.member) of \(call.path) cannot be written")
                }
                var number: UInt64 = 0
                let result = library.send(handle, message, &number)
                guard result >= 0 else { throw ended(result) }
                return number
            }
        }

        package func next() throws(BusFailure) -> DBusEvent? {
            try bus.withLock { bus throws(BusFailure) in
                guard let handle = OpaquePointer(bitPattern: bus) else { throw ended(-ENOTCONN) }
                for _ in 0..<Self.mostUnread {
                    var message: BusLibrary.Handle?
                    let result = library.process(handle, &message)
                    guard result >= 0 else { throw ended(result) }
                    guard result > 0 else { return nil }
                    guard let message else { continue }
                    defer { _ = library.releaseMessage(message) }
                    if let event = event(message) { return event }
                }
                throw BusFailure("the system bus sends messages without end that cannot be read", hint: "restart dbus")
            }
        }

        private func event(_ message: BusLibrary.Handle) -> DBusEvent? {
            var type: UInt8 = 0
            guard library.type(message, &type) >= 0 else { return nil }
            func text(_ function: @Sendable (BusLibrary.Handle?) -> BusLibrary.Text?) -> String {
                function(message).map { String(cString: $0) } ?? ""
            }
            switch Int(type) {
            case Int(SD_BUS_MESSAGE_METHOD_RETURN), Int(SD_BUS_MESSAGE_METHOD_ERROR):
                var cookie: UInt64 = 0
                guard library.replyCookie(message, &cookie) >= 0 else { return nil }
                return .reply(to: cookie, sender: text(library.sender), answer(message, Int(type)))
            case Int(SD_BUS_MESSAGE_SIGNAL):
                var reader = MessageReader(library, message)
                guard let values = reader.values() else { return nil }
                return .signal(
                    DBusSignal(
                        sender: text(library.sender), path: text(library.path), interface: text(library.interface),
                        member: text(library.member), values))
            default: return nil
            }
        }

        private func answer(_ message: BusLibrary.Handle, _ type: Int) -> Result<[DBusValue], DBusError> {
            if type == Int(SD_BUS_MESSAGE_METHOD_ERROR) {
                let error = library.error(message)?.pointee
                return .failure(
                    DBusError(
                        error?.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed",
                        error?.message.map { String(cString: $0) } ?? ""))
            }
            var reader = MessageReader(library, message)
            guard let values = reader.values() else {
                return .failure(DBusError("org.freedesktop.DBus.Error.InconsistentMessage", "too large, or not valid"))
            }
            return .success(values)
        }

        package func close() {
            bus.withLock { bus in
                guard let handle = OpaquePointer(bitPattern: bus) else { return }
                library.close(handle)
                _ = library.release(handle)
                bus = 0
            }
        }
    }
#else
    /// There is no system bus here.
    package final class SystemBus: MessageBus {
        package init(address: String? = nil) throws(BusFailure) {
            throw BusFailure("Bluetooth LE is reached over BlueZ, which is on Linux only", hint: "use the USB port")
        }

        package var descriptor: Int32 { -1 }
        package var wantsWriting: Bool { false }
        package func send(_ call: DBusCall) throws(BusFailure) -> UInt64 { throw BusFailure("there is no bus") }
        package func next() throws(BusFailure) -> DBusEvent? { throw BusFailure("there is no bus") }
        package func close() {}
    }
#endif
