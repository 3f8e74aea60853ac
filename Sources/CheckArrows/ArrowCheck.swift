/// Compares the arrows that the sources draw with those that they may draw.
struct ArrowCheck {
    /// A Swift file of the package.
    struct File {
        var path: String
        var source: String
    }

    var manifest: Manifest
    /// The Swift files of each target, by the target's name.
    var files: [String: [File]]

    /// One line for each arrow that must not be; empty when the house stands.
    func findings() -> [String] {
        manifest.targets.flatMap { declared(by: $0) + drawn(by: $0) }
    }

    private func target(_ name: String) -> Manifest.Target? { manifest.targets.first { $0.name == name } }

    /// What the manifest itself gets wrong.
    private func declared(by target: Manifest.Target) -> [String] {
        guard !target.servesTests, target.type == .regular else {
            let testing = target.servesTests
            return target.dependencies.filter { !testing && self.target($0.name)?.servesTests == true }
                .map { "Package.swift: \(target.name) must not depend on \($0.name), which is for tests" }
        }
        guard let floor = Layers.floor(of: target.name) else {
            return ["Package.swift: \(target.name) has no floor; give it one in Sources/CheckArrows/Layers.swift"]
        }
        return target.dependencies.compactMap { dependency in
            guard let other = self.target(dependency.name) else { return nil }
            if other.type == .system { return nil }
            if other.servesTests {
                return "Package.swift: \(target.name) must not depend on \(other.name), which is for tests"
            }
            guard let below = Layers.floor(of: other.name), below < floor else {
                return "Package.swift: \(target.name) must not depend on \(other.name), which stands beside or above it"
            }
            return nil
        }
    }

    /// What the sources import without being allowed to.
    private func drawn(by target: Manifest.Target) -> [String] {
        let allowed = Set(target.dependencies.map(\.name) + [target.name])
        var system = Layers.ownModules[target.name] ?? Layers.standard
        if target.servesTests || target.type == .executable { system.formUnion(Layers.standard) }
        if target.servesTests { system.formUnion(Layers.forTests) }
        return (files[target.name] ?? []).flatMap { file in
            Import.all(in: file.source).compactMap { line -> String? in
                let place = "\(file.path):\(line.line): "
                // A target named with '-' is imported with '_'.
                let named = self.target(line.module) ?? manifest.targets.first { $0.name.moduleName == line.module }
                if let named {
                    guard allowed.contains(named.name) else {
                        return place + "imports \(named.name), which Package.swift does not list for \(target.name)"
                    }
                    guard named.type != .system || !line.isPublic || target.servesTests else {
                        return place + "\(named.name) is a C library: import it internally"
                    }
                    return nil
                }
                guard system.contains(line.module) else {
                    return place + "\(target.name) must not import \(line.module)"
                }
                return nil
            }
        }
    }
}

extension String {
    fileprivate var moduleName: String { String(map { $0 == "-" ? "_" : $0 }) }
}
