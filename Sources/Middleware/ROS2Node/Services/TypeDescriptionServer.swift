internal import ROS2
internal import ROS2Interfaces
public import ROSMessages
internal import Synchronization

extension ROS2Node {
    func describe<Message: ROS2Message>(_ type: Message.Type) {
        let described = DescribedType(hash: Message.ros2TypeHash) { () throws(InterfaceError) in
            try Message.ros2Description()
        }
        descriptions.withLock { $0[Message.ros2TypeName] = described }
    }

    func describe<Service: ROS2Service>(_ type: Service.Type) {
        let described = DescribedType(hash: Service.ros2TypeHash) { () throws(InterfaceError) in
            try Service.ros2Description()
        }
        descriptions.withLock { $0[Service.ros2TypeName] = described }
    }

    /// Offers `get_type_description`, as every node of rclcpp does since Iron: what the types of this node's
    /// endpoints consist of.
    ///
    /// - Returns: the server; release it to withdraw the service.
    /// - Throws: `ROSError`: `closed`.
    public func serveTypeDescriptions() throws(ROSError) -> ROS2ServiceServer {
        try serve(
            "~/get_type_description", type: TypeDescriptionInterfaces.GetTypeDescription.self,
            handler: { [weak self] in self?.description($0) ?? .init() })
    }

    private func description(
        _ request: TypeDescriptionInterfaces.GetTypeDescription.Request
    ) -> TypeDescriptionInterfaces.GetTypeDescription.Response {
        var response = TypeDescriptionInterfaces.GetTypeDescription.Response()
        guard let known = descriptions.withLock({ $0[request.typeName] }) else {
            response.failureReason = "this node has no type '\(request.typeName)'"
            return response
        }
        guard request.typeHash == known.hash.text else {
            response.failureReason = "the type '\(request.typeName)' has the hash \(known.hash) here"
            return response
        }
        do throws(InterfaceError) {
            response.typeDescription = .init(try known.describe())
            response.successful = true
        } catch { response.failureReason = "\(error)" }
        return response
    }
}
