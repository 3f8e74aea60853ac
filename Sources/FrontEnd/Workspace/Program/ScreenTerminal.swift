public import TextScreen

/// What the program loop needs of a terminal; tests put their own here.
public protocol ScreenTerminal: Sendable {
    /// Its size now.
    var size: ScreenSize { get }
    /// Takes it over.
    ///
    /// - Throws: when it cannot be taken over.
    func enter() throws(TerminalDevice.Failure)
    /// Gives it back. Safe to call twice.
    func leave()
    /// Stops the program as Ctrl-Z does, and returns when it goes on.
    ///
    /// - Throws: when it cannot be taken over again.
    func suspend() throws(TerminalDevice.Failure)
    /// Writes; may block for as long as the terminal takes nothing, so only the writer's thread calls it.
    func write(_ bytes: [UInt8])
    /// What comes from it.
    ///
    /// - Throws: when there is no thread to read it on.
    func events() throws(TerminalDevice.Failure) -> AsyncStream<InputEvent>
}

extension TerminalDevice: ScreenTerminal {}
