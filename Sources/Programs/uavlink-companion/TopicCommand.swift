import CommandLineKit
import MRS
import ProgramKit
import UAVLink

/// `uavlink-companion topic`
enum TopicCommand {
    static let name = Argument.optionalParameter(
        "NAME", .text, help: "the topic; without a leading / it is relative to the vehicle's namespace")
    static let list = Argument.flag("list", help: "list the published topics instead")

    static let spec = CommandSpec(
        "topic", summary: "print any ROS topic as JSON lines, until the output is closed",
        discussion: """
            The type is read from the publisher (in ROS 2 asked from it), so it need not be known here. At most five messages per second are printed, \
            shortened, whatever their rate and size; while none arrive, a line every two seconds says why.
            """,
        arguments: [list, name],
        examples: [
            .init("uavlink-companion topic hw_api/imu", "a topic of uav1"),
            .init("uavlink-companion topic --list", "names and types"),
        ])

    static func run(_ arguments: ParsedCommand, vehicle: String, on watch: any TopicWatching) async throws {
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

    private static func printList(_ watch: any TopicWatching) async -> LinkError? {
        do throws(LinkError) {
            for topic in try await watch.published(within: .seconds(8)) {
                guard print(TopicLine.text(topic)) else { return nil }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Ends when the topic cannot be watched, on an interrupt, or when the output is closed: a closed SSH channel is detected
    /// when the next line is written, at most two seconds later.
    private static func follow(_ topic: String, _ watch: any TopicWatching) async -> LinkError? {
        let work = Task { () -> LinkError? in
            for await update in watch.updates(of: topic) {
                guard print(TopicLine.text(update, of: topic)) else { return nil }
                if case .failed(let error) = update { return error }
            }
            return nil
        }
        let signals = InterruptWatch { _ in work.cancel() }
        defer { withExtendedLifetime(signals) {} }
        return await work.value
    }

    /// - Returns: false when the output is closed.
    private static func print(_ line: String) -> Bool { StandardStream.output.write(line + "\n") }
}
