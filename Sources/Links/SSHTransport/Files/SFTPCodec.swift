/// A codec for the parts of the SSH File Transfer Protocol, version 3 (draft-ietf-secsh-filexfer-02), that uploads need, and
/// downloads of small files.
package enum SFTP {
    enum Request {
        case initialise
        case open(path: String, flags: OpenFlags, mode: UInt32)
        case close(handle: [UInt8])
        case read(handle: [UInt8], offset: UInt64, length: UInt32)
        case write(handle: [UInt8], offset: UInt64, bytes: ArraySlice<UInt8>)
        case setMode(handle: [UInt8], mode: UInt32)
        /// The attributes of a file; symbolic links are followed.
        case attributes(path: String)
        case remove(path: String)
        case rename(from: String, to: String)
        /// OpenSSH's extension that replaces an existing file at the new name, as rename(2) does.
        case replace(from: String, to: String)

        static let replaceExtension = "posix-rename@openssh.com"
    }

    struct OpenFlags: OptionSet {
        let rawValue: UInt32
        static let read = Self(rawValue: 0x01)
        static let write = Self(rawValue: 0x02)
        static let create = Self(rawValue: 0x08)
        static let exclusive = Self(rawValue: 0x20)
    }

    package enum Reply: Equatable {
        case version(UInt32, extensions: [String])
        case status(Status, message: String)
        case handle([UInt8])
        case data([UInt8])
        /// Size in bytes and permissions with the type of the file, each `nil` where the server leaves it out.
        case attributes(size: UInt64?, mode: UInt32?)
    }

    /// SSH_FX_ codes.
    package enum Status: UInt32 {
        case ok = 0
        case endOfFile = 1
        case noSuchFile = 2
        case permissionDenied = 3
        case failure = 4
        case badMessage = 5
        case noConnection = 6
        case connectionLost = 7
        case unsupported = 8
    }

    /// Encodes one request, with its length prefix.
    static func encode(_ request: Request, id: UInt32) -> [UInt8] {
        var body = WireWriter()
        switch request {
        case .initialise:
            body.byte(1)
            body.uint32(3)
        case .open(let path, let flags, let mode):
            start(&body, 3, id)
            body.string(path)
            body.uint32(flags.rawValue)
            writeMode(&body, mode)
        case .close(let handle):
            start(&body, 4, id)
            body.string(handle)
        case .read(let handle, let offset, let length):
            start(&body, 5, id)
            body.string(handle)
            body.uint64(offset)
            body.uint32(length)
        case .write(let handle, let offset, let bytes):
            start(&body, 6, id)
            body.string(handle)
            body.uint64(offset)
            body.string(bytes)
        case .setMode(let handle, let mode):
            start(&body, 10, id)
            body.string(handle)
            writeMode(&body, mode)
        case .attributes(let path):
            start(&body, 17, id)
            body.string(path)
        case .remove(let path):
            start(&body, 13, id)
            body.string(path)
        case .rename(let from, let to):
            start(&body, 18, id)
            body.string(from)
            body.string(to)
        case .replace(let from, let to):
            start(&body, 200, id)
            body.string(Request.replaceExtension)
            body.string(from)
            body.string(to)
        }
        var packet = WireWriter()
        packet.string(body.bytes)
        return packet.bytes
    }

    /// Decodes a reply's body (without the length prefix) and the id of the request that it answers, 0 for the version;
    /// `nil` when it is malformed.
    package static func decode(_ body: [UInt8]) -> (id: UInt32, reply: Reply)? {
        var reader = WireReader(body)
        guard let type = reader.byte(), let number = reader.uint32() else { return nil }
        switch type {
        case 2:
            var extensions: [String] = []
            while !reader.isAtEnd {
                guard let name = reader.string(), reader.string() != nil else { return nil }
                extensions.append(String(decoding: name, as: UTF8.self))
            }
            return (0, .version(number, extensions: extensions))
        case 101:
            guard let code = reader.uint32() else { return nil }
            let message = reader.string().map { String(decoding: $0, as: UTF8.self) } ?? ""
            return (number, .status(Status(rawValue: code) ?? .failure, message: message))
        case 102:
            guard let handle = reader.string(), handle.count <= longestHandle else { return nil }
            return (number, .handle(handle))
        case 103:
            guard let data = reader.string() else { return nil }
            return (number, .data(data))
        case 105:
            guard let reply = attributes(&reader) else { return nil }
            return (number, reply)
        default: return nil
        }
    }

    /// What comes after them is not read.
    private static func attributes(_ reader: inout WireReader) -> Reply? {
        guard let flags = reader.uint32() else { return nil }
        var (size, mode): (UInt64?, UInt32?) = (nil, nil)
        if flags & 0x01 != 0 {
            guard let read = reader.uint64() else { return nil }
            size = read
        }
        // The numbers of the owner and of the group.
        if flags & 0x02 != 0 {
            guard reader.uint32() != nil, reader.uint32() != nil else { return nil }
        }
        if flags & 0x04 != 0 {
            guard let read = reader.uint32() else { return nil }
            mode = read
        }
        return .attributes(size: size, mode: mode)
    }

    /// The limit of the protocol, bytes.
    static let longestHandle = 256
    /// The largest accepted packet, bytes; OpenSSH's limit.
    package static let longestPacket = 256 * 1024

    private static func start(_ body: inout WireWriter, _ type: UInt8, _ id: UInt32) {
        body.byte(type)
        body.uint32(id)
    }

    /// Attributes with only the permissions.
    private static func writeMode(_ body: inout WireWriter, _ mode: UInt32) {
        body.uint32(0x04)
        body.uint32(mode)
    }
}

/// Splits a byte stream into packets.
package struct SFTPFraming {
    private var bytes: [UInt8] = []
    private var head = 0

    package init() {}

    package mutating func append(_ more: [UInt8]) {
        if head > 0 {
            bytes.removeFirst(head)
            head = 0
        }
        bytes += more
    }

    package enum Outcome: Equatable {
        case packet([UInt8])
        case incomplete
        case impossible
    }

    /// The next packet's body.
    package mutating func next() -> Outcome {
        guard bytes.count - head >= 4 else { return .incomplete }
        let length = bytes[head..<(head + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard length >= 5, length <= SFTP.longestPacket else { return .impossible }
        guard bytes.count - head - 4 >= length else { return .incomplete }
        defer { head += 4 + length }
        return .packet(Array(bytes[(head + 4)..<(head + 4 + length)]))
    }
}
