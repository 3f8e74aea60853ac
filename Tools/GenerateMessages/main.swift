internal import FoundationEssentials

// Usage: GenerateMessages [--check] DEFINITIONS OUTPUT
//
// Reads DEFINITIONS/<package>/{msg,srv}/*.{msg,srv} and writes OUTPUT/<Package>/*.swift; with --check it writes nothing
// and fails if a file differs.

var arguments = Array(CommandLine.arguments.dropFirst())
let onlyChecks = arguments.first == "--check"
if onlyChecks { arguments.removeFirst() }
guard arguments.count == 2 else { fail("usage: GenerateMessages [--check] DEFINITIONS OUTPUT") }

do {
    let tree = try DefinitionTree(folder: arguments[0])
    let wanted = try tree.swiftFiles()
    let output = OutputFolder(path: arguments[1])
    if onlyChecks {
        let stale = try output.differences(from: wanted)
        guard stale.isEmpty else {
            fail("not as the definitions say (run scripts/generate-messages): \(stale.joined(separator: ", "))")
        }
    } else {
        try output.replace(with: wanted)
    }
} catch {
    fail("\(error)")
}
