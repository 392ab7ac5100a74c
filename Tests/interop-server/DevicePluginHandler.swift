import InteropMessages
import RPCCore

/// The kubelet's side of its device-plugin API. `Register` is a reserved word in C.
struct RegistrationHandler: V1beta1_RegistrationHandler {
    func register(_ request: V1beta1_RegisterRequest, context: CallContext) async throws -> V1beta1_Empty {
        guard request.version == "v1beta1", request.endpoint == "gpu.sock", request.resourceName == "example.com/gpu",
            request.options?.preStartRequired == true
        else { throw RPCError(.invalidArgument, "\(request)") }
        return V1beta1_Empty()
    }
}

/// The plugin's side, with two devices.
struct DevicePluginHandler: V1beta1_DevicePluginHandler {
    func getDevicePluginOptions(_ request: V1beta1_Empty, context: CallContext) async throws -> V1beta1_DevicePluginOptions {
        V1beta1_DevicePluginOptions(preStartRequired: true, getPreferredAllocationAvailable: true)
    }

    func listAndWatch(
        _ request: V1beta1_Empty, responses: MessageWriter<V1beta1_ListAndWatchResponse>, context: CallContext
    ) async throws {
        for health in ["Healthy", "Unhealthy"] {
            let topology = V1beta1_TopologyInfo(nodes: [V1beta1_NUMANode(id: 1)])
            try await responses.write(
                V1beta1_ListAndWatchResponse(
                    devices: [V1beta1_Device(id: "gpu-0", health: health, topology: topology), V1beta1_Device(id: "gpu-1", health: "Healthy")]))
        }
    }

    func getPreferredAllocation(
        _ request: V1beta1_PreferredAllocationRequest, context: CallContext
    ) async throws -> V1beta1_PreferredAllocationResponse {
        V1beta1_PreferredAllocationResponse(
            containerResponses: request.containerRequests.map { container in
                let devices = container.mustIncludeDeviceIDs + container.availableDeviceIDs
                return V1beta1_ContainerPreferredAllocationResponse(deviceIDs: Array(devices.prefix(Int(container.allocationSize))))
            })
    }

    func allocate(_ request: V1beta1_AllocateRequest, context: CallContext) async throws -> V1beta1_AllocateResponse {
        V1beta1_AllocateResponse(
            containerResponses: request.containerRequests.map { container in
                V1beta1_ContainerAllocateResponse(
                    envs: ["DEVICES": container.devicesIds.joined(separator: ",")],
                    mounts: [V1beta1_Mount(containerPath: "/lib", hostPath: "/usr/lib", readOnly: true)],
                    devices: container.devicesIds.map { V1beta1_DeviceSpec(containerPath: "/dev/\($0)", hostPath: "/dev/\($0)", permissions: "rw") },
                    annotations: ["a": "b"], cdiDevices: [V1beta1_CDIDevice(name: "example.com/gpu=0")])
            })
    }

    func preStartContainer(
        _ request: V1beta1_PreStartContainerRequest, context: CallContext
    ) async throws -> V1beta1_PreStartContainerResponse {
        guard request.devicesIds == ["gpu-0"] else { throw RPCError(.notFound, "\(request.devicesIds)") }
        return V1beta1_PreStartContainerResponse()
    }
}
