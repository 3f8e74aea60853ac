extension ZenohReader {
    private typealias Flag = NetworkMessage.Flag
    private typealias Extension = NetworkMessage.Extension

    /// A network message.
    package mutating func readNetworkMessage() throws(ZenohError) -> NetworkMessage {
        let header = try readByte()
        switch header & 0x1F {
        case NetworkMessage.ID.push:
            let key = try readKey(header)
            let qos = try readQoS(header, in: "Push")
            return .push(key: key, qos, try readPublication())
        case NetworkMessage.ID.request: return .request(try readRequest(header))
        case NetworkMessage.ID.response:
            let id = try readNumber(as: UInt32.self)
            let key = try readKey(header)
            _ = try readQoS(header, in: "Response")
            return .response(id: id, key: key, try readReply())
        case NetworkMessage.ID.responseFinal:
            let id = try readNumber(as: UInt32.self)
            _ = try readQoS(header, in: "ResponseFinal")
            return .responseFinal(id: id)
        case NetworkMessage.ID.declare:
            let interest = header & Flag.interest != 0 ? try readNumber(as: UInt32.self) : nil
            _ = try readQoS(header, in: "Declare")
            return .declare(interest: interest, try readDeclaration())
        case NetworkMessage.ID.interest: return try readInterest(header)
        case NetworkMessage.ID.oam:
            try skipOAM(header)
            return .skipped
        default: throw Self.unknown("message", header)
        }
    }

    private static func unknown(_ what: String, _ header: UInt8) -> ZenohError {
        ZenohError(.protocolViolation, "the router sent a \(what) of the unknown kind \(header & 0x1F)")
    }

    private mutating func readKey(_ header: UInt8) throws(ZenohError) -> NetworkMessage.WireKey {
        let alias = try readNumber(as: UInt16.self)
        var suffix = offset..<offset
        if header & Flag.named != 0 {
            suffix = try readBlock()
            guard suffix.count <= KeyExpression.maximumBytes else {
                throw ZenohError(.tooLarge, "the router sent a key of \(suffix.count) bytes")
            }
        }
        return NetworkMessage.WireKey(
            alias: alias, isAliasOfSender: header & Flag.aliasOfSender != 0, suffix: suffix)
    }

    /// The extensions that most messages may have: QoS, a timestamp, the number of a node in a tree of routers.
    private mutating func readQoS(_ header: UInt8, in message: StaticString) throws(ZenohError) -> ZenohQoS {
        var qos = ZenohQoS.default
        var isFollowed = header & Flag.extensions != 0
        while isFollowed {
            let found = try readExtension()
            if case .number(let value) = found.value, found.kind == Extension.qos {
                qos = ZenohQoS(extension: value)
            } else if found.kind != Extension.timestamp, found.kind != Extension.node {
                try found.skip(in: message)
            }
            isFollowed = found.isFollowed
        }
        return qos
    }

    private mutating func readTimestamp() throws(ZenohError) -> ZenohTimestamp {
        let time = try readNumber()
        return ZenohTimestamp(time: time, clock: try readID(count: Int(clamping: try readNumber())))
    }

    private mutating func readEncoding() throws(ZenohError) -> (number: UInt32, schema: Range<Int>) {
        let number = try readNumber(as: UInt32.self)
        return (number >> 1, number & 1 != 0 ? try readBlock() : offset..<offset)
    }

    private mutating func readPublication() throws(ZenohError) -> NetworkMessage.Publication {
        let header = try readByte()
        var publication = NetworkMessage.Publication()
        switch header & 0x1F {
        case NetworkMessage.Body.put: break
        case NetworkMessage.Body.delete: publication.isDeletion = true
        default: throw Self.unknown("publication", header)
        }
        if header & Flag.timestamp != 0 { publication.timestamp = try readTimestamp() }
        if !publication.isDeletion, header & Flag.encoding != 0 {
            (publication.encoding, publication.schema) = try readEncoding()
        }
        let attachment = publication.isDeletion ? Extension.deleteAttachment : Extension.putAttachment
        var isFollowed = header & Flag.extensions != 0
        while isFollowed {
            let found = try readExtension()
            if case .block(let range) = found.value, found.kind == attachment {
                publication.attachment = range
            } else {
                try found.skip(in: "a publication")
            }
            isFollowed = found.isFollowed
        }
        publication.payload = publication.isDeletion ? offset..<offset : try readBlock()
        return publication
    }

    private mutating func readRequest(_ header: UInt8) throws(ZenohError) -> NetworkMessage.Request {
        let id = try readNumber(as: UInt32.self)
        var request = NetworkMessage.Request(id: id, key: try readKey(header))
        var isFollowed = header & Flag.extensions != 0
        while isFollowed {
            let found = try readExtension()
            switch (found.kind, found.value) {
            case (Extension.qos, .number(let value)): request.qos = ZenohQoS(extension: value)
            case (Extension.target, .number(let value)): request.target = value
            case (Extension.timeout, .number(let value)): request.timeoutMilliseconds = value
            case (Extension.timestamp, _), (Extension.node, _), (Extension.budget, _): break
            default: try found.skip(in: "Request")
            }
            isFollowed = found.isFollowed
        }
        try readQuery(into: &request)
        return request
    }

    private mutating func readQuery(into request: inout NetworkMessage.Request) throws(ZenohError) {
        let header = try readByte()
        guard header & 0x1F == NetworkMessage.Body.query else { throw Self.unknown("request", header) }
        // What the asking end wishes of its own router.
        if header & Flag.consolidation != 0 { _ = try readByte() }
        request.parameters = header & Flag.parameters != 0 ? try readBlock() : offset..<offset
        var isFollowed = header & Flag.extensions != 0
        while isFollowed {
            let found = try readExtension()
            switch (found.kind, found.value) {
            case (Extension.queryBody, .block(let range)):
                var body = ZenohReader(bytes, range: range)
                (request.encoding, request.schema) = try body.readEncoding()
                request.payload = body.readRest()
            case (Extension.queryAttachment, .block(let range)): request.attachment = range
            default: try found.skip(in: "Query")
            }
            isFollowed = found.isFollowed
        }
    }

    private mutating func readReply() throws(ZenohError) -> NetworkMessage.Reply {
        let header = try readByte()
        switch header & 0x1F {
        case NetworkMessage.Body.reply:
            if header & Flag.consolidation != 0 { _ = try readByte() }
            try skipExtensions(header & Flag.extensions != 0, in: "Reply")
            return .value(try readPublication())
        case NetworkMessage.Body.failure:
            let encoding = header & Flag.encoding != 0 ? try readEncoding().number : 0
            try skipExtensions(header & Flag.extensions != 0, in: "Err")
            return .failure(encoding: encoding, payload: try readBlock())
        default: throw Self.unknown("response", header)
        }
    }

    // MARK: Declarations

    private mutating func readDeclaration() throws(ZenohError) -> NetworkMessage.Declaration {
        let header = try readByte()
        let hasExtensions = header & Flag.extensions != 0
        switch header & 0x1F {
        case NetworkMessage.Declare.alias:
            let id = try readNumber(as: UInt16.self)
            let key = try readKey(header | Flag.aliasOfSender)
            try skipExtensions(hasExtensions, in: "DeclareKeyExpr")
            return .alias(id: id, key)
        case NetworkMessage.Declare.undeclareAlias:
            let id = try readNumber(as: UInt16.self)
            try skipExtensions(hasExtensions, in: "UndeclareKeyExpr")
            return .undeclareAlias(id: id)
        case NetworkMessage.Declare.subscriber:
            let id = try readNumber(as: UInt32.self)
            let key = try readKey(header)
            try skipExtensions(hasExtensions, in: "DeclareSubscriber")
            return .subscriber(id: id, key)
        case NetworkMessage.Declare.queryable:
            let id = try readNumber(as: UInt32.self)
            let key = try readKey(header)
            return .queryable(id: id, key, isComplete: try readQueryableInfo(hasExtensions))
        case NetworkMessage.Declare.token:
            let id = try readNumber(as: UInt32.self)
            let key = try readKey(header)
            try skipExtensions(hasExtensions, in: "DeclareToken")
            return .token(id: id, key)
        case NetworkMessage.Declare.undeclareSubscriber:
            let id = try readNumber(as: UInt32.self)
            _ = try readUndeclaredKey(hasExtensions)
            return .undeclareSubscriber(id: id)
        case NetworkMessage.Declare.undeclareQueryable:
            let id = try readNumber(as: UInt32.self)
            _ = try readUndeclaredKey(hasExtensions)
            return .undeclareQueryable(id: id)
        case NetworkMessage.Declare.undeclareToken:
            let id = try readNumber(as: UInt32.self)
            return .undeclareToken(id: id, try readUndeclaredKey(hasExtensions))
        case NetworkMessage.Declare.final:
            try skipExtensions(hasExtensions, in: "DeclareFinal")
            return .final
        default: throw Self.unknown("declaration", header)
        }
    }

    private mutating func readQueryableInfo(_ present: Bool) throws(ZenohError) -> Bool {
        var isComplete = false
        var isFollowed = present
        while isFollowed {
            let found = try readExtension()
            if case .number(let value) = found.value, found.kind == Extension.queryableInfo {
                isComplete = value & 1 != 0
            } else {
                try found.skip(in: "DeclareQueryable")
            }
            isFollowed = found.isFollowed
        }
        return isComplete
    }

    /// The key that may stand behind the number of what is not declared any more; `nil` for none.
    private mutating func readUndeclaredKey(_ present: Bool) throws(ZenohError) -> NetworkMessage.WireKey? {
        var key: NetworkMessage.WireKey?
        var isFollowed = present
        while isFollowed {
            let found = try readExtension()
            if case .block(let range) = found.value, found.kind == Extension.undeclaredKey {
                var inner = ZenohReader(bytes, range: range)
                // Bit 0: the rest of the bytes is a text; bit 1: the alias is one of the sender.
                let flags = try inner.readByte()
                let alias = try inner.readNumber(as: UInt16.self)
                let suffix = flags & 1 != 0 ? inner.readRest() : inner.offset..<inner.offset
                if alias != 0 || !suffix.isEmpty {
                    key = NetworkMessage.WireKey(
                        alias: alias, isAliasOfSender: flags & 2 != 0, suffix: suffix)
                }
            } else {
                try found.skip(in: "an undeclaration")
            }
            isFollowed = found.isFollowed
        }
        return key
    }

    private mutating func readInterest(_ header: UInt8) throws(ZenohError) -> NetworkMessage {
        let id = try readNumber(as: UInt32.self)
        if header & (Flag.current | Flag.future) != 0 {
            let options = try readByte()
            // Bit 4: restricted to a key, with the flags of a key in bits 5 and 6.
            if options & 0x10 != 0 { _ = try readKey(options) }
        }
        _ = try readQoS(header, in: "Interest")
        return .interest(id: id)
    }
}
