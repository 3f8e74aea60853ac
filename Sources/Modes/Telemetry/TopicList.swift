internal import MRS
internal import UAVLink

/// What is known of the topics that a vehicle publishes, and so of a name that the user enters.
struct TopicList {
    private enum Content {
        case unknown, requested
        case published([PublishedTopic])
        case failed(LinkError)
    }

    private let content: Content

    private init(_ content: Content) { self.content = content }

    /// The list was not requested.
    static let unknown = Self(.unknown)
    /// The answer is not there yet.
    static let requested = Self(.requested)

    /// The list as it came, or why it did not.
    init(_ answer: Result<[PublishedTopic], LinkError>) {
        switch answer {
        case .success(let topics): content = .published(topics.sorted { $0.name < $1.name })
        case .failure(let error): content = .failed(error)
        }
    }

    /// Whether the answer is not there yet.
    var isRequested: Bool { if case .requested = content { true } else { false } }

    /// What the list lacks, for the prompt; empty when it lacks nothing.
    var note: String {
        switch content {
        case .unknown: ""
        case .requested: "requesting the list of topics"
        case .published([]): "no topic is published"
        case .published: isComplete ? "" : "only the first \(TopicLimits.published) topics are listed"
        case .failed(let error): error.description.sanitizedLine
        }
    }

    private var topics: [PublishedTopic] { if case .published(let topics) = content { topics } else { [] } }

    /// A list with the most topics that one can have may lack others.
    private var isComplete: Bool { topics.count < TopicLimits.published }

    /// The names that contain a text; those with a part that begins with it come first.
    func names(with text: String, atMost most: Int) -> [String] {
        let names = topics.map(\.name.sanitizedLine)
        let (first, rest) = names.filter { $0.contains(text) }.reduce(into: ([String](), [String]())) {
            if $1.hasSuffix("/" + text) || $1.hasPrefix(text) { $0.0.append($1) } else { $0.1.append($1) }
        }
        return Array((first + rest).prefix(most))
    }

    /// Why no message of a topic can come, as far as it is known; `nil` if one may.
    ///
    /// - Parameters:
    ///   - name: the complete name.
    ///   - typed: what the user entered.
    func refusal(of name: String, typed: String) -> LinkError? {
        switch content {
        case .unknown, .requested: return nil
        // Without ROS topics none can come; with another failure one may come later.
        case .failed(let error): return error.code == .unsupported ? error : nil
        case .published(let topics):
            guard isComplete, !topics.contains(where: { $0.name == name }) else { return nil }
            let ofType = topics.filter { $0.type == typed }.prefix(2).map(\.name.sanitizedLine)
            guard ofType.isEmpty else {
                return LinkError(
                    .invalidInput, "'\(typed)' is a message type, not a topic",
                    hint: "published as \(ofType.joined(separator: ", "))")
            }
            return LinkError(
                .invalidInput, "no topic '\(name)' is published", hint: "Tab completes the name of a published one")
        }
    }
}
