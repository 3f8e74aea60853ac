public import ROSMessages
internal import XMLRPC

extension ROSMaster {
    /// The topic of simulated time, `rosgraph_msgs/Clock`.
    public static let clockTopic = "/clock"

    /// Whether the parameter `/use_sim_time` is true: nodes then take their time from ``clockTopic``, and stamp their messages
    /// with it.
    public func usesSimulatedTime(within timeout: Duration = defaultTimeout) async throws(ROSError) -> Bool {
        do throws(ROSError) {
            return try await ask("getParam", [.string("/use_sim_time")], within: timeout).boolValue == true
        } catch {
            // It is not set.
            guard error.code == .refused else { throw error }
            return false
        }
    }
}
