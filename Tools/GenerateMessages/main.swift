internal import FoundationEssentials

// Usage: GenerateMessages [--check] ROS1 ROS2
//
// Each is a target's folder: Definitions/<package>/{msg,srv,jazzy}/*.{msg,srv} is read and Messages/<Package>/*.swift written;
// with --check nothing is written, and it fails if a file differs. ROS1 has the messages that both have, of which ROS1ROS2/Messages
// (MRSMessages and MRSMessagesROS2) gets the codecs of ROS 2; ROS2 has those that every node of ROS 2 uses.

var arguments = Array(CommandLine.arguments.dropFirst())
let onlyChecks = arguments.first == "--check"
if onlyChecks { arguments.removeFirst() }
guard arguments.count == 2 else { fail("usage: GenerateMessages [--check] ROS1 ROS2") }

do {
    let (both, only) = (arguments[0], arguments[1])
    var tree = InterfaceTree()
    try tree.read(both + "/Definitions")
    try tree.read(only + "/Definitions", isKnown: true)
    var interfaces = InterfaceTree()
    try interfaces.read(only + "/Definitions")
    let module = String(both.split(separator: "/").last ?? "")
    let outputs = [
        (both, try DefinitionTree(folder: both + "/Definitions", interfaces: tree).swiftFiles()),
        (both + "ROS2", try InterfaceSource(tree: tree, kind: .codecs(of: module)).files()),
        (only, try InterfaceSource(tree: interfaces, kind: .structures).files()),
    ]
    for (folder, wanted) in outputs {
        let output = OutputFolder(path: folder + "/Messages")
        if onlyChecks {
            let stale = try output.differences(from: wanted)
            guard stale.isEmpty else {
                fail("not as the definitions say (run scripts/generate-messages): \(stale.joined(separator: ", "))")
            }
        } else {
            try output.replace(with: wanted)
        }
    }
} catch {
    fail("\(error)")
}
