internal import SystemIO
package import UAVLink

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A board on a serial port: raw, 115200 baud, 8 bits, no parity, one stop bit; opened by one program only.
package struct SerialTransport: BlunoTransport {
    /// The path of its device: `/dev/ttyACM0`, or that of a pseudo terminal.
    package let path: String

    /// A port that is not open.
    package init(path: String) { self.path = path }

    /// The path.
    package var name: String { path }

    /// Opens and sets the port.
    ///
    /// - Throws: ``UAVLink/LinkError`` with `unreachable`: not there, no permission, taken by another program, no serial port.
    package func open() throws(LinkError) -> any BlunoStream {
        // Not waiting for a carrier, which a board does not have.
        #if canImport(Glibc)
            let number = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        #else
            let number = Darwin.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        #endif
        guard number >= 0 else { throw refusal(errno) }
        let port = OwnedDescriptor(number)
        guard isatty(number) == 1 else {
            throw LinkError(.unreachable, "\(path) is no serial port", hint: "a board's is /dev/ttyACM0 or the like")
        }
        // Two locks: that of the driver, which does not hold for root, and that of terminal programs.
        guard flock(number, LOCK_EX | LOCK_NB) == 0, ioctl(number, UInt(TIOCEXCL)) == 0 else {
            throw errno == EWOULDBLOCK ? refusal(EBUSY) : refusal(errno)
        }
        try set(number)
        return SerialStream(port, path: path)
    }

    private func set(_ number: Int32) throws(LinkError) {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { throw refusal(errno) }
        cfmakeraw(&settings)
        // Without HUPCL, DTR stays when the port is closed, so that the next opening does not reset the board.
        settings.c_cflag &= ~tcflag_t(HUPCL | CSTOPB | PARENB | CSIZE)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD | CS8)
        settings.c_iflag &= ~tcflag_t(IXON | IXOFF)
        guard cfsetspeed(&settings, speed_t(B115200)) == 0, tcsetattr(number, TCSANOW, &settings) == 0 else {
            throw LinkError(
                .unreachable, "\(path) cannot be set to 115200 baud: \(SystemError.text(errno))",
                hint: "is it the port of a Bluno?")
        }
        // What has come before is of another connection.
        tcflush(number, TCIOFLUSH)
    }

    private func refusal(_ number: Int32) -> LinkError {
        let (what, hint) =
            switch number {
            case ENOENT, ENODEV, ENXIO:
                ("there is no board at \(path)", "plug it in; 'ls /dev/ttyACM*' shows the ports")
            case EACCES, EPERM:
                (
                    "no permission to open \(path)",
                    "add yourself to its group, usually 'dialout' ('ls -l' shows it), and log in again"
                )
            case EISDIR, ENOTDIR, ENOTTY, EINVAL, ELOOP:
                ("\(path) is no serial port", "a board's is /dev/ttyACM0 or the like")
            case EBUSY: ("another program has \(path) open", "close it: a serial monitor, or another uavlink")
            case EMFILE, ENFILE: ("cannot open \(path): too many open files", "raise 'ulimit -n'")
            default: ("cannot open \(path): \(SystemError.text(number))", "check its cable")
            }
        return LinkError(.unreachable, what, hint: hint)
    }
}

/// An open serial port.
final class SerialStream: BlunoStream {
    private let port: OwnedDescriptor
    private let path: String

    init(_ port: OwnedDescriptor, path: String) {
        self.port = port
        self.path = path
    }

    /// The driver's lock ends with this opening, also when another program has inherited the descriptor.
    deinit { _ = ioctl(port.number, UInt(TIOCNXCL)) }

    var descriptor: Int32 { port.number }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> BlunoMove {
        #if canImport(Glibc)
            outcome(Glibc.read(port.number, buffer.baseAddress, buffer.count), endsAtZero: true)
        #else
            outcome(Darwin.read(port.number, buffer.baseAddress, buffer.count), endsAtZero: true)
        #endif
    }

    func write(_ bytes: [UInt8]) -> BlunoMove {
        #if canImport(Glibc)
            outcome(Glibc.write(port.number, bytes, bytes.count), endsAtZero: false)
        #else
            outcome(Darwin.write(port.number, bytes, bytes.count), endsAtZero: false)
        #endif
    }

    private func outcome(_ result: Int, endsAtZero: Bool) -> BlunoMove {
        if result > 0 { return .moved(result) }
        if result == 0 { return endsAtZero ? .ended("\(path) was unplugged") : .nothing }
        switch errno {
        case EAGAIN, EWOULDBLOCK, EINTR: return .nothing
        // A port whose device is gone.
        case EIO, ENXIO, ENODEV, EBADF: return .ended("\(path) was unplugged")
        case let number: return .ended("\(path) fails: \(SystemError.text(number))")
        }
    }

    var underWay: Int {
        var count: Int32 = 0
        return ioctl(port.number, UInt(TIOCOUTQ), &count) == 0 ? max(Int(count), 0) : 0
    }

    func discard() { tcflush(port.number, TCOFLUSH) }
}
