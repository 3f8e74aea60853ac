import Foundation

// Reads `swift package dump-package` on standard input and the sources below the given folder, and prints the imports
// and dependencies that violate the order of the layers, and what is too large. See scripts/check-arrows.

let folder = CommandLine.arguments.dropFirst().first ?? "."

func swiftFiles(below path: String) -> [LayerCheck.File] {
    guard let names = FileManager.default.enumerator(atPath: folder + "/" + path) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
        let file = path + "/" + name
        guard let data = FileManager.default.contents(atPath: folder + "/" + file) else { return nil }
        return LayerCheck.File(path: file, source: String(decoding: data, as: UTF8.self))
    }
}

do {
    let dump = FileHandle.standardInput.readDataToEndOfFile()
    let manifest = try JSONDecoder().decode(Manifest.self, from: dump)
    var files: [String: [LayerCheck.File]] = [:]
    for target in manifest.targets { files[target.name] = swiftFiles(below: target.folder) }
    let findings = LayerCheck(manifest: manifest, files: files).findings()
    for finding in findings { print(finding) }
    let count = files.values.map(\.count).reduce(0, +)
    guard count > 0 else {
        print("check-arrows: found no sources below \(folder)")
        exit(2)
    }
    print("check-arrows: \(manifest.targets.count) targets, \(count) files, \(findings.count) violations")
    exit(findings.isEmpty ? 0 : 1)
} catch {
    print("check-arrows: cannot read the output of swift package dump-package: \(error)")
    exit(2)
}
