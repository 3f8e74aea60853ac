/// What a vehicle's refusals mean in plain words, since their own texts speak of the vehicle's internals.
///
/// Texts that no table contains are shown as they are: nothing is guessed.
package enum RefusalWords {
    /// What a refusal means and what to do about it, in one line; `nil` for a text that is not known, or needs no other words.
    ///
    /// - Parameter message: the vehicle's text.
    package static func plain(_ message: String) -> String? {
        guard !message.hasPrefix(MRSRefusals.onGround), !message.hasPrefix(MRSRefusals.unknownFramePrefix) else {
            return nil
        }
        return (MRSRefusals.table + MachineRefusals.table).first { $0.fits(message) }?.plain
    }

    /// The refusal of a vehicle that telemetry shows on the ground: what else its text may mean is then not the case.
    package static func onGround(_ message: String) -> String {
        MRSRefusals.notFlown.fits(message) ? "\(MRSRefusals.onGround) (\(message))" : message
    }

    /// The refusal of a command in a frame: where it means that the vehicle does not know the frame, it names it.
    package static func ofFrame(_ frame: String, _ message: String) -> String {
        guard MRSRefusals.unknownFrame.fits(message) else { return message }
        let name = "\(MRSRefusals.unknownFramePrefix)\(frame)'"
        return "\(name): the vehicle has no transformation for it; without a frame its present one is used (\(message))"
    }

    /// A refusal for the user, also one without a text: what may be the reason is known for some commands.
    ///
    /// - Parameter command: the command's name on the command line.
    package static func shown(_ message: String, of command: String) -> String {
        guard message.allSatisfy(\.isWhitespace) else { return shown(message) }
        return MRSRefusals.silent[command].map { "\($0) (no reason given)" } ?? "no reason given"
    }

    /// A refusal for the user: plain words with the vehicle's own behind them, or its own alone.
    package static func shown(_ message: String) -> String {
        guard let plain = plain(message) else { return message }
        return plain.hasPrefix(message) ? plain : "\(plain) (\(message))"
    }
}
