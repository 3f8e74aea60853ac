internal import CSystemIO

/// How much address space a program takes, where that is limited (`ulimit -v`) or where the system promises no more
/// memory than it has (`vm.overcommit_memory`).
package enum ProgramMemory {
    /// Limits the stack of every thread that is created from now on, also by the runtime of Swift's tasks.
    ///
    /// A stack takes memory only as far as it is used, but usually 8 MB of address space.
    ///
    /// - Parameter bytes: the size of a stack; the system refuses less than 16 KiB.
    /// - Returns: whether the system has done so: glibc does.
    @discardableResult
    package static func limitThreadStacks(bytes: Int) -> Bool {
        bytes > 0 && system_io_limit_thread_stacks(bytes) == 0
    }

    /// Has all threads allocate from one heap; call it before there is a second thread.
    ///
    /// glibc reserves 64 MB of address space for the heap of each further thread. Where it cannot, each object of such
    /// a thread takes a page of its own: with 64 MB the program ends when these threads have 16,000 objects, which are
    /// 1 MB.
    ///
    /// - Returns: whether the system has done so: glibc does.
    @discardableResult
    package static func shareHeap() -> Bool { system_io_share_heap() == 0 }
}
