internal import FoundationEssentials
internal import ROSDefinitions

/// All definition files below a folder.
struct DefinitionTree {
    private var definitions = DefinitionSet()
    private var services: [ServiceDefinition] = []
    private var packages: [String] = []
    private let interfaces: InterfaceTree

    /// - Parameter interfaces: the same definitions as they are in ROS 2.
    init(folder: String, interfaces: InterfaceTree) throws {
        self.interfaces = interfaces
        let files = FileManager.default
        packages = try files.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
        for package in packages {
            for kind in ["msg", "srv"] {
                let path = "\(folder)/\(package)/\(kind)"
                guard files.fileExists(atPath: path) else { continue }
                for file in try files.contentsOfDirectory(atPath: path).sorted() where file.hasSuffix(".\(kind)") {
                    let typeName = "\(package)/\(file.dropLast(4))"
                    let text = String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(file)")), as: UTF8.self)
                    if kind == "msg" {
                        definitions.insert(try MessageDefinition(typeName: typeName, text: text))
                    } else {
                        services.append(try ServiceDefinition(typeName: typeName, text: text))
                    }
                }
            }
        }
    }

    /// The Swift files by their path below the output folder.
    func swiftFiles() throws -> [String: String] {
        let typeNames = definitions.messages.keys + services.map(\.typeName)
        var hiddenNames: [Substring: Set<String>] = [:]
        for typeName in typeNames {
            let parts = typeName.split(separator: "/")
            hiddenNames[parts[0], default: []].insert(String(parts[1]))
        }
        let source = SwiftSource(definitions: definitions, hiddenNames: hiddenNames, interfaces: interfaces)
        var files: [String: String] = [:]
        func path(_ typeName: String) -> String {
            // The namespace is part of the file's name, too: object files of one module need unique names.
            let type = SwiftNames.type(of: typeName)
            return "\(type.prefix { $0 != "." })/\(type).swift"
        }
        for package in packages {
            let namespace = SwiftNames.namespace(of: Substring(package))
            files["\(namespace)/\(namespace).swift"] = source.file(ofPackage: Substring(package))
        }
        for typeName in definitions.messages.keys {
            files[path(typeName)] = try source.file(ofMessage: typeName)
        }
        for typeName in interfaces.overrides {
            let parts = typeName.split(separator: "/")
            guard definitions.messages["\(parts[0])/\(parts[2])"] == nil else { continue }
            files[path(typeName)] = try source.file(ofROS2: typeName)
        }
        for service in services { files[path(service.typeName)] = try source.file(of: service) }
        files["GeneratedTypes.swift"] = SwiftSource.catalogue(
            messages: definitions.messages.keys.sorted().map(SwiftNames.type),
            services: services.map { SwiftNames.type(of: $0.typeName) }.sorted())
        return files
    }
}
