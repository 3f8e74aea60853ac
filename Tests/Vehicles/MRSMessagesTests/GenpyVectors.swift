import Foundation
import IntegrationKit

/// Messages with random values that genpy, ROS's own code, serialised.
struct GenpyVectors {
    struct TypeVectors: Decodable, Sendable {
        let type: String
        let md5: String
        let text: String
        let messages: [Message]
    }

    struct Message: Decodable, Sendable {
        /// The serialised message, hexadecimal.
        let bytes: String
        /// Each field's path and value, as ``Flattened`` writes them.
        let values: [[String]]
    }

    let types: [String: TypeVectors]
    private let folder: TemporaryFolder

    /// Makes the Python classes and the vectors; every run has other values, the seed stands in the failure.
    init(seed: UInt64) async throws {
        folder = try TemporaryFolder()
        let python = try ChildProcess([BuiltPrograms.repository + "/scripts/generate-python-messages", folder.path])
        guard try await python.exit() == 0 else { throw ProcessFailure(python.errors) }
        let vectors = try ChildProcess(["/usr/bin/python3", "-c", Self.program, folder.path, "\(seed)"])
        guard try await vectors.exit(within: .seconds(60)) == 0 else { throw ProcessFailure(vectors.errors) }
        let lines = vectors.output.split(separator: "\n")
        let decoder = JSONDecoder()
        let all = try lines.map { try decoder.decode(TypeVectors.self, from: Data($0.utf8)) }
        types = Dictionary(all.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    }

    static var isPossible: Bool { FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/genpy") }

    private static let program = #"""
        import importlib, inspect, io, json, pkgutil, random, re, struct, sys
        import genpy
        sys.path.insert(0, sys.argv[1])
        dice = random.Random(int(sys.argv[2]))
        RANGES = {'int8': (-2**7, 2**7-1), 'byte': (-2**7, 2**7-1), 'uint8': (0, 2**8-1), 'char': (0, 2**8-1),
                  'int16': (-2**15, 2**15-1), 'uint16': (0, 2**16-1), 'int32': (-2**31, 2**31-1), 'uint32': (0, 2**32-1),
                  'int64': (-2**63, 2**63-1), 'uint64': (0, 2**64-1)}

        def fill(message):
            for name, type_ in zip(message.__slots__, message._slot_types):
                setattr(message, name, value(type_))
            return message

        def value(type_):
            match = re.fullmatch(r'(.*)\[(\d*)\]', type_)
            if match:
                count = int(match[2]) if match[2] else dice.randrange(5)
                if match[1] in ('uint8', 'char'):
                    return bytes(dice.randrange(256) for _ in range(count))
                return [value(match[1]) for _ in range(count)]
            if type_ in RANGES:
                return dice.choice([dice.randint(*RANGES[type_]), *RANGES[type_]])
            if type_ == 'bool': return dice.random() < 0.5
            if type_ == 'float32': return struct.unpack('<f', struct.pack('<f', dice.uniform(-1e6, 1e6)))[0]
            if type_ == 'float64': return dice.choice([dice.uniform(-1e9, 1e9), 0.0, -0.0, float('inf'), 5e-324])
            if type_ == 'string': return ''.join(dice.choice('ab \n"\0\u00fc\u6c34\U0001f681') for _ in range(dice.randrange(9)))
            if type_ == 'time': return genpy.Time(dice.randint(0, 2**32-1), dice.randint(0, 10**9-1))
            if type_ == 'duration': return genpy.Duration(dice.randint(-2**31, 2**31-1), dice.randint(0, 10**9-1))
            return fill(genpy.message.get_message_class(type_)())

        def flat(path, value, type_, out):
            if type_.endswith(']'):
                base = type_[:type_.index('[')]
                out.append([path + '.count', str(len(value))])
                for index, element in enumerate(value): flat('%s[%d]' % (path, index), element, base, out)
            elif isinstance(value, genpy.Message):
                for name, inner in zip(value.__slots__, value._slot_types):
                    flat(path + '.' + name, getattr(value, name), inner, out)
            elif isinstance(value, genpy.rostime.TVal): out.append([path, '%d.%d' % (value.secs, value.nsecs)])
            elif isinstance(value, float): out.append([path, str(struct.unpack('<Q', struct.pack('<d', value))[0])])
            elif isinstance(value, str): out.append([path, value.encode().hex()])
            else: out.append([path, str(int(value))])

        PACKAGES = ('std_msgs geometry_msgs nav_msgs sensor_msgs tf2_msgs rosgraph_msgs std_srvs visualization_msgs '
                    'mrs_msgs uavlink_msgs')
        for package in PACKAGES.split():
            for kind in 'msg', 'srv':
                try: module = importlib.import_module('%s.%s' % (package, kind))
                except ImportError: continue
                for class_ in vars(module).values():
                    if not (inspect.isclass(class_) and issubclass(class_, genpy.Message)): continue
                    messages = []
                    for _ in range(6):
                        message = fill(class_())
                        buffer = io.BytesIO()
                        message.serialize(buffer)
                        values = []
                        flat('', message, '', values)
                        messages.append({'bytes': buffer.getvalue().hex(), 'values': values})
                    print(json.dumps({'type': class_._type, 'md5': class_._md5sum, 'text': class_._full_text,
                                      'messages': messages}))
        """#
}
