// Writes what programs are made of, an SPDX document, to standard output; scripts/package calls it. Standard input has a line for each
// program and each library (BillOfMaterials.add).
//
//   BillOfMaterials NAME VERSION SWIFT-VERSION DISTRIBUTION CREATED NAMESPACE
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

func fail(_ text: String) -> Never {
    let bytes = Array("BillOfMaterials: \(text)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
}

let arguments = CommandLine.arguments
guard arguments.count == 7 else {
    fail("expected a name, a version, Swift's version, a distribution, a time and a namespace")
}
var bill = BillOfMaterials(
    .init(
        name: arguments[1], version: arguments[2], swiftVersion: arguments[3], distribution: arguments[4],
        created: arguments[5], namespace: arguments[6]))
var number = 0
while let line = readLine() {
    number += 1
    do throws(BillOfMaterials.LineError) {
        try bill.add(line: line, number: number)
    } catch {
        fail(error.description)
    }
}
print(bill.text)
