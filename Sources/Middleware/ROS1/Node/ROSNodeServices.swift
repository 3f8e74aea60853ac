public import ROSMessages
internal import Synchronization
internal import SystemIO

/// Advertising and calling services.
extension ROSNode {
    /// Advertises a service with a synchronous handler.
    ///
    /// - Parameters:
    ///   - thread: the thread that runs the handler.
    ///   - handler: returns the response; the description of an error it throws is sent to the caller of the failed call.
    /// - Returns: the advertised service; release it to withdraw the service.
    /// - Throws: ``ROSError``: ``ROSError/Code/invalidName``, or ``ROSError/Code/misuse`` when this node already offers the
    ///   service.
    public func advertiseService<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self, on thread: ROSHandlerThread = .worker,
        handler: @escaping @Sendable (Service.Request) throws -> Service.Response
    ) throws(ROSError) -> ROSServiceServer {
        let workers = workers
        return try offer(service, type: type) { bytes, respond in
            let work: @Sendable () -> Void = {
                respond(Self.answer(Service.self, to: bytes, with: handler))
            }
            switch thread {
            case .immediate: work()
            case .worker: workers.run(work)
            }
        }
    }

    /// Advertises a service with an asynchronous handler.
    ///
    /// - Throws: as ``advertiseService(_:type:on:handler:)``.
    public func advertiseService<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self,
        asyncHandler: @escaping @Sendable (Service.Request) async throws -> Service.Response
    ) throws(ROSError) -> ROSServiceServer {
        try offer(service, type: type) { bytes, respond in
            var reader = ROSReader(bytes)
            let request: Service.Request
            do throws(ROSDecodingError) { request = try Service.Request(from: &reader) } catch {
                return respond(.failure(ROSServiceFailure("the request cannot be read: \(error)")))
            }
            Task {
                do { respond(.success(try await asyncHandler(request).serialised)) } catch {
                    respond(.failure(ROSServiceFailure("\(error)")))
                }
            }
        }
    }

    private static func answer<Service: ROSService>(
        _ type: Service.Type, to bytes: [UInt8], with handler: (Service.Request) throws -> Service.Response
    ) -> Result<[UInt8], ROSServiceFailure> {
        var reader = ROSReader(bytes)
        let request: Service.Request
        do throws(ROSDecodingError) { request = try Service.Request(from: &reader) } catch {
            return .failure(ROSServiceFailure("the request cannot be read: \(error)"))
        }
        do { return .success(try handler(request).serialised) } catch {
            return .failure(ROSServiceFailure("\(error)"))
        }
    }

    private func offer<Service: ROSService>(
        _ service: String, type: Service.Type,
        handle: @escaping @Sendable ([UInt8], @escaping ServiceEndpoint.Respond) -> Void
    ) throws(ROSError) -> ROSServiceServer {
        let resolved = try names.resolve(service)
        try offers.withLock { offers throws(ROSError) in
            guard !offers.isShutDown else { throw ROSError(.closed, "the node was shut down") }
            guard offers.services.insert(resolved).inserted else {
                throw ROSError(.misuse, "this node already offers the service \(resolved)")
            }
        }
        let endpoint = ServiceEndpoint(
            name: resolved.text, type: Service.typeName, md5: Service.md5, requestType: Service.Request.typeName,
            responseType: Service.Response.typeName, handle: handle)
        withCore { node, core in node.advertise(endpoint, on: core) }
        return ROSServiceServer(name: resolved.text) { [weak self] in
            guard let self else { return }
            _ = self.offers.withLock { $0.services.remove(resolved) }
            self.withCore { node, core in node.unadvertiseService(resolved.text, on: core) }
        }
    }

    /// Creates a client of a service; it connects on the first call.
    ///
    /// - Throws: ``ROSError`` with ``ROSError/Code/invalidName``.
    public func serviceClient<Service: ROSService>(
        _ service: String, type: Service.Type = Service.self, persistent: Bool = true
    ) throws(ROSError) -> ROSServiceClient<Service> {
        ROSServiceClient(
            name: try names.resolve(service).text, isPersistent: persistent, master: masterURI, node: identity,
            loop: loop)
    }
}
