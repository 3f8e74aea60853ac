/// A machine that sends video to the ground, which is kept as it comes.
public protocol MachineVideo: AnyObject, Sendable {
    /// Turns the video on, passes on what comes, in order, and turns it off.
    ///
    /// What comes first is what a decoder can begin with. Cancelling the task ends it well.
    ///
    /// - Parameters:
    ///   - duration: ends after so long.
    ///   - take: is called on a thread of its own with each piece of the stream and what has come so far, this piece
    ///     included; `false` ends it. It may block: what comes meanwhile is dropped by the system.
    /// - Throws: ``LinkError``: `unreachable` if the port is taken or nothing comes, `remoteFailed` if the machine refuses.
    func receiveVideo(
        for duration: Duration, _ take: @escaping @Sendable (ArraySlice<UInt8>, VideoProgress) -> Bool
    ) async throws(LinkError) -> VideoProgress
}

/// How much of a video has come.
public struct VideoProgress: Hashable, Sendable {
    /// Bytes that were passed on.
    public var bytes: UInt64 = 0
    /// Frames that have begun.
    public var frames: UInt64 = 0
    /// Since the first piece.
    public var duration: Duration = .zero

    /// None.
    public init() {}
}
