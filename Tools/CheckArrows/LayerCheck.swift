/// Compares the imports in the sources with the dependencies that are allowed, and the sizes with those that are.
struct LayerCheck {
    /// A Swift file of the package.
    struct File {
        var path: String
        var source: String
    }

    var manifest: Manifest
    /// The Swift files of each target, by the target's name.
    var files: [String: [File]]

    /// One line per violation; empty if all is in order.
    func findings() -> [String] {
        manifest.targets.flatMap {
            declared(by: $0) + unused(by: $0) + drawn(by: $0) + called(by: $0) + outgrown(by: $0)
        }
    }

    private func target(_ name: String) -> Manifest.Target? { manifest.targets.first { $0.name == name } }

    /// Violations in the manifest itself.
    private func declared(by target: Manifest.Target) -> [String] {
        let others = target.dependencies.compactMap { self.target($0.name) }
        if target.isForTests { return [] }
        let tests = others.filter(\.isForTests).map {
            "Package.swift: \(target.name) must not depend on \($0.name), which is for tests"
        }
        if target.isTool { return tests }
        guard let layer = target.layer, let place = Layers.order.firstIndex(of: layer) else {
            return tests + [
                "Package.swift: \(target.name) is in \(target.folder), not a layer of Tools/CheckArrows/Layers.swift"
            ]
        }
        return tests
            + others.compactMap { other in
                guard !other.isForTests else { return nil }
                if let below = other.layer.flatMap(Layers.order.firstIndex), below >= place { return nil }
                return
                    "Package.swift: \(target.name) (\(layer)) must not depend on \(other.name) (\(other.layer ?? other.folder)), "
                    + "which is not below it"
            }
    }

    /// Dependencies that the manifest lists and no source imports.
    private func unused(by target: Manifest.Target) -> [String] {
        guard let files = files[target.name], !files.isEmpty else { return [] }
        let imported = Set(files.flatMap { Import.all(in: $0.source).map(\.module) })
        return target.dependencies.map(\.name)
            .filter { !imported.contains($0.moduleName) && !Layers.linkedOnly.contains($0) }
            .map { "Package.swift: \(target.name) does not import \($0)" }
    }

    /// Calls of the system that another target makes for all.
    private func called(by target: Manifest.Target) -> [String] {
        guard target.layer != nil, !target.isForTests, !target.isTool, target.name != Layers.systemCalls.target else {
            return []
        }
        return (files[target.name] ?? []).flatMap { file in
            Call.all(of: Layers.systemCalls.functions, in: file.source).map {
                "\(file.path):\($0.line): calls \($0.function), for which \(Layers.systemCalls.target) has a type"
            }
        }
    }

    /// Files, and the target itself, that are larger than may be.
    private func outgrown(by target: Manifest.Target) -> [String] {
        var found: [String] = []
        var whole = 0
        for file in files[target.name] ?? [] where !Sizes.isGenerated(file.path) {
            let lines = Sizes.lines(of: file.source)
            whole += lines
            if lines > Sizes.file { found.append("\(file.path): has \(lines) lines, more than \(Sizes.file)") }
        }
        if whole > Sizes.target {
            found.append("Package.swift: \(target.name) has \(whole) lines, more than \(Sizes.target)")
        }
        return found
    }

    /// Imports that are not allowed.
    private func drawn(by target: Manifest.Target) -> [String] {
        let allowed = Set(target.dependencies.map(\.name) + [target.name])
        var system = Layers.systemModules[target.name] ?? Layers.standard
        if target.isForTests || target.isTool || target.type == .executable { system.formUnion(Layers.standard) }
        if target.isForTests { system.formUnion(Layers.forTests) }
        if target.isForTests || target.isTool {
            system.formUnion(Layers.foundation)
        }
        return (files[target.name] ?? []).flatMap { file in
            Import.all(in: file.source).compactMap { line -> String? in
                let place = "\(file.path):\(line.line): "
                // A target named with '-' is imported with '_'.
                let named = self.target(line.module) ?? manifest.targets.first { $0.name.moduleName == line.module }
                if let named {
                    guard allowed.contains(named.name) else {
                        return place + "imports \(named.name), which Package.swift does not list for \(target.name)"
                    }
                    guard named.type != .system || !line.isPublic || target.isForTests else {
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
