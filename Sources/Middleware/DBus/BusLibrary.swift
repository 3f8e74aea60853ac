#if os(Linux)
    internal import CSystemd
    internal import SystemIO

    /// The non-variadic half of sd-bus, loaded when a bus is first wanted: few programs need one.
    struct BusLibrary: Sendable {
        typealias Handle = OpaquePointer
        typealias Text = UnsafePointer<CChar>

        let create: @Sendable @convention(c) (UnsafeMutablePointer<Handle?>?) -> Int32
        let setAddress: @Sendable @convention(c) (Handle?, Text?) -> Int32
        let setClient: @Sendable @convention(c) (Handle?, Int32) -> Int32
        let start: @Sendable @convention(c) (Handle?) -> Int32
        let close: @Sendable @convention(c) (Handle?) -> Void
        let release: @Sendable @convention(c) (Handle?) -> Handle?
        let descriptor: @Sendable @convention(c) (Handle?) -> Int32
        let events: @Sendable @convention(c) (Handle?) -> Int32
        let process: @Sendable @convention(c) (Handle?, UnsafeMutablePointer<Handle?>?) -> Int32
        let send: @Sendable @convention(c) (Handle?, Handle?, UnsafeMutablePointer<UInt64>?) -> Int32

        let newCall:
            @Sendable @convention(c) (Handle?, UnsafeMutablePointer<Handle?>?, Text?, Text?, Text?, Text?) -> Int32
        let releaseMessage: @Sendable @convention(c) (Handle?) -> Handle?
        let append: @Sendable @convention(c) (Handle?, CChar, UnsafeRawPointer?) -> Int32
        let appendArray: @Sendable @convention(c) (Handle?, CChar, UnsafeRawPointer?, Int) -> Int32
        let openContainer: @Sendable @convention(c) (Handle?, CChar, Text?) -> Int32
        let closeContainer: @Sendable @convention(c) (Handle?) -> Int32

        let type: @Sendable @convention(c) (Handle?, UnsafeMutablePointer<UInt8>?) -> Int32
        let replyCookie: @Sendable @convention(c) (Handle?, UnsafeMutablePointer<UInt64>?) -> Int32
        let sender: @Sendable @convention(c) (Handle?) -> Text?
        let path: @Sendable @convention(c) (Handle?) -> Text?
        let interface: @Sendable @convention(c) (Handle?) -> Text?
        let member: @Sendable @convention(c) (Handle?) -> Text?
        let error: @Sendable @convention(c) (Handle?) -> UnsafePointer<sd_bus_error>?
        let peek:
            @Sendable @convention(c) (Handle?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Text?>?) -> Int32
        let read: @Sendable @convention(c) (Handle?, CChar, UnsafeMutableRawPointer?) -> Int32
        let readArray:
            @Sendable @convention(c) (
                Handle?, CChar, UnsafeMutablePointer<UnsafeRawPointer?>?, UnsafeMutablePointer<Int>?
            ) -> Int32
        let enter: @Sendable @convention(c) (Handle?, CChar, Text?) -> Int32
        let exit: @Sendable @convention(c) (Handle?) -> Int32
        let skip: @Sendable @convention(c) (Handle?, Text?) -> Int32

        /// The library, or why it cannot be loaded; loaded on first access and never unloaded.
        static let loaded: Result<BusLibrary, BusFailure> = Result { () throws(DynamicLibrary.Failure) in
            try BusLibrary()
        }.mapError { BusFailure($0.description) }

        private static let source = DynamicLibrary.Source(
            "libsystemd", debianPackage: "libsystemd0", firstVersion: "221",
            linux: ["libsystemd.so.0", "libsystemd.so"], darwin: [])

        private init() throws(DynamicLibrary.Failure) {
            let library = try DynamicLibrary(Self.source)
            create = try library.function("sd_bus_new")
            setAddress = try library.function("sd_bus_set_address")
            setClient = try library.function("sd_bus_set_bus_client")
            start = try library.function("sd_bus_start")
            close = try library.function("sd_bus_close")
            release = try library.function("sd_bus_unref")
            descriptor = try library.function("sd_bus_get_fd")
            events = try library.function("sd_bus_get_events")
            process = try library.function("sd_bus_process")
            send = try library.function("sd_bus_send")
            newCall = try library.function("sd_bus_message_new_method_call")
            releaseMessage = try library.function("sd_bus_message_unref")
            append = try library.function("sd_bus_message_append_basic")
            appendArray = try library.function("sd_bus_message_append_array")
            openContainer = try library.function("sd_bus_message_open_container")
            closeContainer = try library.function("sd_bus_message_close_container")
            type = try library.function("sd_bus_message_get_type")
            replyCookie = try library.function("sd_bus_message_get_reply_cookie")
            sender = try library.function("sd_bus_message_get_sender")
            path = try library.function("sd_bus_message_get_path")
            interface = try library.function("sd_bus_message_get_interface")
            member = try library.function("sd_bus_message_get_member")
            error = try library.function("sd_bus_message_get_error")
            peek = try library.function("sd_bus_message_peek_type")
            read = try library.function("sd_bus_message_read_basic")
            readArray = try library.function("sd_bus_message_read_array")
            enter = try library.function("sd_bus_message_enter_container")
            exit = try library.function("sd_bus_message_exit_container")
            skip = try library.function("sd_bus_message_skip")
        }
    }
#endif
