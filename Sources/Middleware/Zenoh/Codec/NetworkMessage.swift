/// A message between a client and the others behind its router. Ranges refer to the bytes that it was decoded from.
package enum NetworkMessage: Sendable, Hashable {
    /// A publication.
    case push(key: WireKey, ZenohQoS, Publication)
    /// A query for our queryables.
    case request(Request)
    /// An answer to our query.
    case response(id: UInt32, key: WireKey, Reply)
    /// No more answers follow.
    case responseFinal(id: UInt32)
    /// A declaration, in answer to an interest of ours or by itself.
    case declare(interest: UInt32?, Declaration)
    /// What the router wants to know of our declarations: we tell all of them anyway.
    case interest(id: UInt32)
    /// A message that concerns no client.
    case skipped

    /// A key: the number of an alias, or 0, and the text behind it.
    package struct WireKey: Sendable, Hashable {
        package var alias: UInt16
        /// The alias was declared by the sender of the message; else by its receiver.
        package var isAliasOfSender: Bool
        package var suffix: Range<Int>
    }

    /// A value, or the news that there is none any more.
    package struct Publication: Sendable, Hashable {
        package var isDeletion = false
        package var timestamp: ZenohTimestamp?
        package var encoding: UInt32 = 0
        package var schema: Range<Int> = 0..<0
        package var attachment: Range<Int>?
        package var payload: Range<Int> = 0..<0
    }

    /// A query.
    package struct Request: Sendable, Hashable {
        package var id: UInt32
        package var key: WireKey
        package var qos: ZenohQoS = .default
        package var target: UInt64 = 0
        package var timeoutMilliseconds: UInt64?
        package var parameters: Range<Int> = 0..<0
        package var encoding: UInt32 = 0
        package var schema: Range<Int> = 0..<0
        package var payload: Range<Int>?
        package var attachment: Range<Int>?
    }

    /// An answer.
    package enum Reply: Sendable, Hashable {
        case value(Publication)
        case failure(encoding: UInt32, payload: Range<Int>)
    }

    /// What is declared.
    package enum Declaration: Sendable, Hashable {
        case alias(id: UInt16, WireKey)
        case undeclareAlias(id: UInt16)
        case subscriber(id: UInt32, WireKey)
        case undeclareSubscriber(id: UInt32)
        case queryable(id: UInt32, WireKey, isComplete: Bool)
        case undeclareQueryable(id: UInt32)
        case token(id: UInt32, WireKey)
        /// The key stands beside a number that was never declared.
        case undeclareToken(id: UInt32, WireKey?)
        /// All that exists now was declared.
        case final
    }

    enum ID {
        static let interest: UInt8 = 0x19
        static let responseFinal: UInt8 = 0x1A
        static let response: UInt8 = 0x1B
        static let request: UInt8 = 0x1C
        static let push: UInt8 = 0x1D
        static let declare: UInt8 = 0x1E
        static let oam: UInt8 = 0x1F
    }

    enum Body {
        static let put: UInt8 = 0x01
        static let delete: UInt8 = 0x02
        static let query: UInt8 = 0x03
        static let reply: UInt8 = 0x04
        static let failure: UInt8 = 0x05
    }

    enum Declare {
        static let alias: UInt8 = 0x00
        static let undeclareAlias: UInt8 = 0x01
        static let subscriber: UInt8 = 0x02
        static let undeclareSubscriber: UInt8 = 0x03
        static let queryable: UInt8 = 0x04
        static let undeclareQueryable: UInt8 = 0x05
        static let token: UInt8 = 0x06
        static let undeclareToken: UInt8 = 0x07
        static let final: UInt8 = 0x1A
    }

    enum Flag {
        /// Extensions follow, in every message.
        static let extensions: UInt8 = 0x80
        /// A key has a text, and its alias is one of the sender.
        static let named: UInt8 = 0x20
        static let aliasOfSender: UInt8 = 0x40
        /// A declaration names the interest that it answers.
        static let interest: UInt8 = 0x20
        static let timestamp: UInt8 = 0x20
        static let encoding: UInt8 = 0x40
        static let consolidation: UInt8 = 0x20
        static let parameters: UInt8 = 0x40
        /// An interest in what exists now, and in what will.
        static let current: UInt8 = 0x20
        static let future: UInt8 = 0x40
    }

    /// Extensions: the number and the kind of the value.
    enum Extension {
        static let qos: UInt8 = 0x21
        static let timestamp: UInt8 = 0x42
        static let node: UInt8 = 0x23
        static let target: UInt8 = 0x24
        static let budget: UInt8 = 0x25
        static let timeout: UInt8 = 0x26
        static let putAttachment: UInt8 = 0x43
        static let deleteAttachment: UInt8 = 0x42
        static let queryBody: UInt8 = 0x43
        static let queryAttachment: UInt8 = 0x45
        static let queryableInfo: UInt8 = 0x21
        static let undeclaredKey: UInt8 = 0x4F
    }

    /// Whether a byte of a frame begins a network message: transport messages have lower numbers.
    package static func begins(with byte: UInt8) -> Bool { byte & 0x1F >= ID.interest }
}
