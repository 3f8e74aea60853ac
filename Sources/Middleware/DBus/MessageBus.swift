/// A connection to a D-Bus. Nothing here waits; calls may come from any thread.
///
/// Time-outs are those of its user: a call that is never answered is never reported.
package protocol MessageBus: AnyObject, Sendable {
    /// Readable when something has come; may change while the connection is being made. Negative once it has ended.
    var descriptor: Int32 { get }
    /// Whether something waits for ``descriptor`` to be writable.
    var wantsWriting: Bool { get }
    /// Sends a call, or keeps it until there is room.
    ///
    /// - Returns: its number, for its answer.
    /// - Throws: ``BusFailure`` if the connection has ended, or the call cannot be written.
    func send(_ call: DBusCall) throws(BusFailure) -> UInt64
    /// The next thing that has come; `nil` if there is none now. Also goes on with what was begun, such as the log-in.
    ///
    /// - Throws: ``BusFailure`` if the connection has ended.
    func next() throws(BusFailure) -> DBusEvent?
    /// Ends the connection; what can leave at once still leaves.
    func close()
}

/// Why a bus cannot be used.
package struct BusFailure: Error, Hashable, Sendable {
    /// What happened, in one line without a full stop.
    package var what: String
    /// What to do about it.
    package var hint: String

    /// A failure.
    package init(_ what: String, hint: String = "") {
        self.what = what
        self.hint = hint
    }
}
