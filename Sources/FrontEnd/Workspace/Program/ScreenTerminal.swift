package import TextScreen

/// A terminal as the program loop uses it; tests substitute their own.
package protocol ScreenTerminal: Sendable {
    /// The current size.
    var size: ScreenSize { get }
    /// Sets the terminal up.
    ///
    /// - Throws: when it cannot be set up.
    func enter() throws(TerminalDevice.Failure)
    /// Restores the terminal. Safe to call twice.
    func leave()
    /// Suspends the process as Ctrl-Z does; returns when it is resumed.
    ///
    /// - Throws: when it cannot be set up again.
    func suspend() throws(TerminalDevice.Failure)
    /// Writes bytes; may block while the terminal accepts none, so only the writer's thread calls it.
    func write(_ bytes: [UInt8])
    /// Reads the input into a queue, which ends when the terminal is closed.
    ///
    /// - Parameters:
    ///   - newestFrame: the number of the newest frame that was written; called whenever something was typed.
    ///   - now: nanoseconds of the caller's clock; called as soon as bytes were read.
    /// - Throws: when no thread for reading can be started.
    func read(
        into queue: InputQueue, after newestFrame: @escaping @Sendable () -> Int,
        at now: @escaping @Sendable () -> Int64
    ) throws(TerminalDevice.Failure)
}

extension TerminalDevice: ScreenTerminal {}
