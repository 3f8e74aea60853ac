import CommandLineKit
import ProgramKit
import UAVCore
import UAVLink

/// `uavlink-companion topic`
enum TopicCommand {
    static let name = Argument.optionalParameter(
        "NAME", .text, help: "the topic; without a leading / below the vehicle's name")
    static let list = Argument.flag("list", help: "print what is published instead")

    static let spec = CommandSpec(
        "topic", summary: "watch any ROS topic by its name, as JSON lines, until the output is closed",
        discussion: """
            Its type comes from its publisher, so it need not be known here. At most five messages a second are printed, \
            shortened, whatever their number and size; a line a second or two says why when none come.
            """,
        arguments: [list, name],
        examples: [
            .init("uavlink-companion topic hw_api/imu", "of uav1"),
            .init("uavlink-companion topic --list", "names and types"),
        ])

    static func run(_ arguments: ParsedCommand, vehicle: String, environment: [String: String]) async throws {
        let watch = ROSTopicWatch(environment: environment)
        let failure: LinkError?
        if try arguments[list] {
            failure = await printList(watch)
        } else if let typed = try arguments[name] {
            failure = await follow(try TopicName.complete(typed, vehicle: vehicle), watch)
        } else {
            throw UsageError("no topic was named", hint: "'uavlink-companion topic --list' lists them")
        }
        await watch.close()
        if let failure { throw failure }
    }

    private static func printList(_ watch: ROSTopicWatch) async -> LinkError? {
        do throws(LinkError) {
            for topic in try await watch.published(within: .seconds(8)) {
                guard print(TopicLine.text(topic)) else { return nil }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Ends when the topic cannot be watched, when it is interrupted, or when nobody reads any more: an SSH channel that
    /// was closed shows at the next line, and there is one every two seconds at the latest.
    private static func follow(_ topic: String, _ watch: ROSTopicWatch) async -> LinkError? {
        let work = Task { () -> LinkError? in
            for await update in watch.updates(of: topic) {
                guard print(TopicLine.text(update, of: topic)) else { return nil }
                if case .failed(let error) = update { return error }
            }
            return nil
        }
        let signals = InterruptWatch { work.cancel() }
        defer { withExtendedLifetime(signals) {} }
        return await work.value
    }

    /// - Returns: whether anybody took it.
    private static func print(_ line: String) -> Bool { StandardStream.output.write(line + "\n") }
}
