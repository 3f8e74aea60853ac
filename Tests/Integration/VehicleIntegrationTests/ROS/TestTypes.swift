import ROSMessages

/// `std_msgs/String`.
struct Text: ROSMessage, Equatable {
    static let typeName = "std_msgs/String"
    static let md5 = "992ce8a1687cec8c8bd883ec73ca41d1"
    static let definition = "string data\n"
    var data = ""

    init() {}
    init(_ data: String) { self.data = data }
    init(from reader: inout ROSReader) throws(ROSDecodingError) { data = try reader.readString() }
    func write(to writer: inout ROSWriter) { writer.write(data) }
}

/// `std_msgs/String` with another definition: what an older vehicle might have.
struct OtherText: ROSMessage {
    static let typeName = "std_msgs/String"
    static let md5 = "00000000000000000000000000000bad"
    static let definition = "string data\nint32 more\n"

    init() {}
    init(from reader: inout ROSReader) throws(ROSDecodingError) {}
    func write(to writer: inout ROSWriter) {}
}

/// `std_msgs/Int64`.
struct Number: ROSMessage, Equatable {
    static let typeName = "std_msgs/Int64"
    static let md5 = "34add168574510e6e17f5d23ecc077ef"
    static let definition = "int64 data\n"
    var data: Int64 = 0

    init() {}
    init(_ data: Int64) { self.data = data }
    init(from reader: inout ROSReader) throws(ROSDecodingError) { data = try reader.readInt64() }
    func write(to writer: inout ROSWriter) { writer.write(data) }
}

/// `std_srvs/SetBool`.
enum SetBool: ROSService {
    static let typeName = "std_srvs/SetBool"
    static let md5 = "09fb03525b03e7ea1fd3992bafd87e16"

    struct Request: ROSMessage {
        static let typeName = "std_srvs/SetBoolRequest"
        static let md5 = "8b94c1b53db61fb6aed406028ad6332a"
        static let definition = "bool data\n"
        var data = false
        init() {}
        init(_ data: Bool) { self.data = data }
        init(from reader: inout ROSReader) throws(ROSDecodingError) { data = try reader.readBool() }
        func write(to writer: inout ROSWriter) { writer.write(data) }
    }

    struct Response: ROSMessage, Equatable {
        static let typeName = "std_srvs/SetBoolResponse"
        static let md5 = "937c9679a518e3a18d831e57125ea522"
        static let definition = "bool success\nstring message\n"
        var success = false
        var message = ""
        init() {}
        init(_ success: Bool, _ message: String) {
            self.success = success
            self.message = message
        }
        init(from reader: inout ROSReader) throws(ROSDecodingError) {
            success = try reader.readBool()
            message = try reader.readString()
        }
        func write(to writer: inout ROSWriter) {
            writer.write(success)
            writer.write(message)
        }
    }
}

/// `std_srvs/SetBool` with another sum.
enum OtherSetBool: ROSService {
    static let typeName = "std_srvs/SetBool"
    static let md5 = "00000000000000000000000000000bad"
    typealias Request = SetBool.Request
    typealias Response = SetBool.Response
}
