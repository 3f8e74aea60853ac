import Testing

@testable import SystemIO

/// In processes of their own: what is limited stays so. `scripts/check-package` looks at what it does to a companion.
@Suite struct ProgramMemoryTests {
    #if canImport(Glibc)
        @Test func `glibc limits stacks and shares its heap`() async {
            await #expect(processExitsWith: .success) {
                try #require(ProgramMemory.shareHeap())
                try #require(ProgramMemory.limitThreadStacks(bytes: 1 << 20))
            }
        }
    #endif

    @Test(arguments: [-1, 0, 1000]) func `a stack that no thread can have is refused`(bytes: Int) {
        #expect(!ProgramMemory.limitThreadStacks(bytes: bytes))
    }
}
