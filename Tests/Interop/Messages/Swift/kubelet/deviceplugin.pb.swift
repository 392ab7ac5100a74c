// Written by protoc-gen-pulseboard-swift from kubelet/deviceplugin.proto.
// Do not edit: change that file and generate again.

internal import InteropMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// `v1beta1.DevicePluginOptions`.
public struct V1beta1_DevicePluginOptions: Message {
    /// `pre_start_required`, field 1.
    public var preStartRequired: Bool = false
    /// `get_preferred_allocation_available`, field 2.
    public var getPreferredAllocationAvailable: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        preStartRequired: Bool = false,
        getPreferredAllocationAvailable: Bool = false
    ) {
        self.preStartRequired = preStartRequired
        self.getPreferredAllocationAvailable = getPreferredAllocationAvailable
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__DevicePluginOptions.self,
        initializedBy: v1beta1__device_plugin_options__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__DevicePluginOptions.self)
        self.preStartRequired = MessageReader.bool(message.pointee.pre_start_required)
        self.getPreferredAllocationAvailable = MessageReader.bool(message.pointee.get_preferred_allocation_available)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__DevicePluginOptions.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.pre_start_required = self.preStartRequired ? 1 : 0
        message.pointee.get_preferred_allocation_available = self.getPreferredAllocationAvailable ? 1 : 0
    }
}

/// `v1beta1.RegisterRequest`.
public struct V1beta1_RegisterRequest: Message {
    /// `version`, field 1.
    public var version: String = ""
    /// `endpoint`, field 2.
    public var endpoint: String = ""
    /// `resource_name`, field 3.
    public var resourceName: String = ""
    /// `options`, field 4.
    public var options: V1beta1_DevicePluginOptions?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        version: String = "",
        endpoint: String = "",
        resourceName: String = "",
        options: V1beta1_DevicePluginOptions? = nil
    ) {
        self.version = version
        self.endpoint = endpoint
        self.resourceName = resourceName
        self.options = options
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__RegisterRequest.self,
        initializedBy: v1beta1__register_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__RegisterRequest.self)
        self.version = MessageReader.string(message.pointee.version)
        self.endpoint = MessageReader.string(message.pointee.endpoint)
        self.resourceName = MessageReader.string(message.pointee.resource_name)
        self.options = MessageReader.message(message.pointee.options)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__RegisterRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.version.isEmpty {
            message.pointee.version = try encoder.string(self.version, field: "version")
        }
        if !self.endpoint.isEmpty {
            message.pointee.endpoint = try encoder.string(self.endpoint, field: "endpoint")
        }
        if !self.resourceName.isEmpty {
            message.pointee.resource_name = try encoder.string(self.resourceName, field: "resource_name")
        }
        message.pointee.options = try encoder.message(
            self.options, as: V1beta1__DevicePluginOptions.self, field: "options")
    }
}

/// `v1beta1.Empty`.
public struct V1beta1_Empty: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: V1beta1__Empty.self,
        initializedBy: v1beta1__empty__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `v1beta1.ListAndWatchResponse`.
public struct V1beta1_ListAndWatchResponse: Message {
    /// `devices`, field 1.
    public var devices: [V1beta1_Device] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(devices: [V1beta1_Device] = []) {
        self.devices = devices
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__ListAndWatchResponse.self,
        initializedBy: v1beta1__list_and_watch_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__ListAndWatchResponse.self)
        self.devices = MessageReader.messages(message.pointee.n_devices, message.pointee.devices)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__ListAndWatchResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_devices, message.pointee.devices) = try encoder.messages(
            self.devices, as: V1beta1__Device.self, field: "devices")
    }
}

/// `v1beta1.TopologyInfo`.
public struct V1beta1_TopologyInfo: Message {
    /// `nodes`, field 1.
    public var nodes: [V1beta1_NUMANode] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(nodes: [V1beta1_NUMANode] = []) {
        self.nodes = nodes
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__TopologyInfo.self,
        initializedBy: v1beta1__topology_info__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__TopologyInfo.self)
        self.nodes = MessageReader.messages(message.pointee.n_nodes, message.pointee.nodes)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__TopologyInfo.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_nodes, message.pointee.nodes) = try encoder.messages(
            self.nodes, as: V1beta1__NUMANode.self, field: "nodes")
    }
}

/// `v1beta1.NUMANode`.
public struct V1beta1_NUMANode: Message {
    /// `ID`, field 1.
    public var id: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: Int64 = 0) {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__NUMANode.self,
        initializedBy: v1beta1__numanode__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__NUMANode.self)
        self.id = message.pointee.id
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__NUMANode.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.id = self.id
    }
}

/// `v1beta1.Device`.
public struct V1beta1_Device: Message {
    /// `ID`, field 1.
    public var id: String = ""
    /// `health`, field 2.
    public var health: String = ""
    /// `topology`, field 3.
    public var topology: V1beta1_TopologyInfo?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        health: String = "",
        topology: V1beta1_TopologyInfo? = nil
    ) {
        self.id = id
        self.health = health
        self.topology = topology
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__Device.self,
        initializedBy: v1beta1__device__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__Device.self)
        self.id = MessageReader.string(message.pointee.id)
        self.health = MessageReader.string(message.pointee.health)
        self.topology = MessageReader.message(message.pointee.topology)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__Device.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "ID")
        }
        if !self.health.isEmpty {
            message.pointee.health = try encoder.string(self.health, field: "health")
        }
        message.pointee.topology = try encoder.message(self.topology, as: V1beta1__TopologyInfo.self, field: "topology")
    }
}

/// `v1beta1.PreStartContainerRequest`.
public struct V1beta1_PreStartContainerRequest: Message {
    /// `devices_ids`, field 1.
    public var devicesIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(devicesIds: [String] = []) {
        self.devicesIds = devicesIds
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__PreStartContainerRequest.self,
        initializedBy: v1beta1__pre_start_container_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__PreStartContainerRequest.self)
        self.devicesIds = MessageReader.strings(message.pointee.n_devices_ids, message.pointee.devices_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__PreStartContainerRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_devices_ids, message.pointee.devices_ids) = try encoder.strings(
            self.devicesIds, field: "devices_ids")
    }
}

/// `v1beta1.PreStartContainerResponse`.
public struct V1beta1_PreStartContainerResponse: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: V1beta1__PreStartContainerResponse.self,
        initializedBy: v1beta1__pre_start_container_response__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `v1beta1.PreferredAllocationRequest`.
public struct V1beta1_PreferredAllocationRequest: Message {
    /// `container_requests`, field 1.
    public var containerRequests: [V1beta1_ContainerPreferredAllocationRequest] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(containerRequests: [V1beta1_ContainerPreferredAllocationRequest] = []) {
        self.containerRequests = containerRequests
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__PreferredAllocationRequest.self,
        initializedBy: v1beta1__preferred_allocation_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__PreferredAllocationRequest.self)
        self.containerRequests = MessageReader.messages(
            message.pointee.n_container_requests, message.pointee.container_requests)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__PreferredAllocationRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_container_requests, message.pointee.container_requests) = try encoder.messages(
            self.containerRequests, as: V1beta1__ContainerPreferredAllocationRequest.self, field: "container_requests")
    }
}

/// `v1beta1.ContainerPreferredAllocationRequest`.
public struct V1beta1_ContainerPreferredAllocationRequest: Message {
    /// `available_deviceIDs`, field 1.
    public var availableDeviceIDs: [String] = []
    /// `must_include_deviceIDs`, field 2.
    public var mustIncludeDeviceIDs: [String] = []
    /// `allocation_size`, field 3.
    public var allocationSize: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        availableDeviceIDs: [String] = [],
        mustIncludeDeviceIDs: [String] = [],
        allocationSize: Int32 = 0
    ) {
        self.availableDeviceIDs = availableDeviceIDs
        self.mustIncludeDeviceIDs = mustIncludeDeviceIDs
        self.allocationSize = allocationSize
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__ContainerPreferredAllocationRequest.self,
        initializedBy: v1beta1__container_preferred_allocation_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__ContainerPreferredAllocationRequest.self)
        self.availableDeviceIDs = MessageReader.strings(
            message.pointee.n_available_deviceids, message.pointee.available_deviceids)
        self.mustIncludeDeviceIDs = MessageReader.strings(
            message.pointee.n_must_include_deviceids, message.pointee.must_include_deviceids)
        self.allocationSize = message.pointee.allocation_size
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__ContainerPreferredAllocationRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_available_deviceids, message.pointee.available_deviceids) = try encoder.strings(
            self.availableDeviceIDs, field: "available_deviceIDs")
        (message.pointee.n_must_include_deviceids, message.pointee.must_include_deviceids) = try encoder.strings(
            self.mustIncludeDeviceIDs, field: "must_include_deviceIDs")
        message.pointee.allocation_size = self.allocationSize
    }
}

/// `v1beta1.PreferredAllocationResponse`.
public struct V1beta1_PreferredAllocationResponse: Message {
    /// `container_responses`, field 1.
    public var containerResponses: [V1beta1_ContainerPreferredAllocationResponse] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(containerResponses: [V1beta1_ContainerPreferredAllocationResponse] = []) {
        self.containerResponses = containerResponses
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__PreferredAllocationResponse.self,
        initializedBy: v1beta1__preferred_allocation_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__PreferredAllocationResponse.self)
        self.containerResponses = MessageReader.messages(
            message.pointee.n_container_responses, message.pointee.container_responses)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__PreferredAllocationResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_container_responses, message.pointee.container_responses) = try encoder.messages(
            self.containerResponses, as: V1beta1__ContainerPreferredAllocationResponse.self, field: "container_responses")
    }
}

/// `v1beta1.ContainerPreferredAllocationResponse`.
public struct V1beta1_ContainerPreferredAllocationResponse: Message {
    /// `deviceIDs`, field 1.
    public var deviceIDs: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(deviceIDs: [String] = []) {
        self.deviceIDs = deviceIDs
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__ContainerPreferredAllocationResponse.self,
        initializedBy: v1beta1__container_preferred_allocation_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__ContainerPreferredAllocationResponse.self)
        self.deviceIDs = MessageReader.strings(message.pointee.n_deviceids, message.pointee.deviceids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__ContainerPreferredAllocationResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_deviceids, message.pointee.deviceids) = try encoder.strings(
            self.deviceIDs, field: "deviceIDs")
    }
}

/// `v1beta1.AllocateRequest`.
public struct V1beta1_AllocateRequest: Message {
    /// `container_requests`, field 1.
    public var containerRequests: [V1beta1_ContainerAllocateRequest] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(containerRequests: [V1beta1_ContainerAllocateRequest] = []) {
        self.containerRequests = containerRequests
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__AllocateRequest.self,
        initializedBy: v1beta1__allocate_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__AllocateRequest.self)
        self.containerRequests = MessageReader.messages(
            message.pointee.n_container_requests, message.pointee.container_requests)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__AllocateRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_container_requests, message.pointee.container_requests) = try encoder.messages(
            self.containerRequests, as: V1beta1__ContainerAllocateRequest.self, field: "container_requests")
    }
}

/// `v1beta1.ContainerAllocateRequest`.
public struct V1beta1_ContainerAllocateRequest: Message {
    /// `devices_ids`, field 1.
    public var devicesIds: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(devicesIds: [String] = []) {
        self.devicesIds = devicesIds
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__ContainerAllocateRequest.self,
        initializedBy: v1beta1__container_allocate_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__ContainerAllocateRequest.self)
        self.devicesIds = MessageReader.strings(message.pointee.n_devices_ids, message.pointee.devices_ids)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__ContainerAllocateRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_devices_ids, message.pointee.devices_ids) = try encoder.strings(
            self.devicesIds, field: "devices_ids")
    }
}

/// `v1beta1.CDIDevice`.
public struct V1beta1_CDIDevice: Message {
    /// `name`, field 1.
    public var name: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(name: String = "") {
        self.name = name
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__CDIDevice.self,
        initializedBy: v1beta1__cdidevice__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__CDIDevice.self)
        self.name = MessageReader.string(message.pointee.name)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__CDIDevice.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
    }
}

/// `v1beta1.AllocateResponse`.
public struct V1beta1_AllocateResponse: Message {
    /// `container_responses`, field 1.
    public var containerResponses: [V1beta1_ContainerAllocateResponse] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(containerResponses: [V1beta1_ContainerAllocateResponse] = []) {
        self.containerResponses = containerResponses
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__AllocateResponse.self,
        initializedBy: v1beta1__allocate_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__AllocateResponse.self)
        self.containerResponses = MessageReader.messages(
            message.pointee.n_container_responses, message.pointee.container_responses)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__AllocateResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_container_responses, message.pointee.container_responses) = try encoder.messages(
            self.containerResponses, as: V1beta1__ContainerAllocateResponse.self, field: "container_responses")
    }
}

/// `v1beta1.ContainerAllocateResponse`.
public struct V1beta1_ContainerAllocateResponse: Message {
    /// `envs`, field 1.
    public var envs: [String: String] = [:]
    /// `mounts`, field 2.
    public var mounts: [V1beta1_Mount] = []
    /// `devices`, field 3.
    public var devices: [V1beta1_DeviceSpec] = []
    /// `annotations`, field 4.
    public var annotations: [String: String] = [:]
    /// `cdi_devices`, field 5.
    public var cdiDevices: [V1beta1_CDIDevice] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        envs: [String: String] = [:],
        mounts: [V1beta1_Mount] = [],
        devices: [V1beta1_DeviceSpec] = [],
        annotations: [String: String] = [:],
        cdiDevices: [V1beta1_CDIDevice] = []
    ) {
        self.envs = envs
        self.mounts = mounts
        self.devices = devices
        self.annotations = annotations
        self.cdiDevices = cdiDevices
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__ContainerAllocateResponse.self,
        initializedBy: v1beta1__container_allocate_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__ContainerAllocateResponse.self)
        let envsEntries: [EnvsEntry] = MessageReader.messages(message.pointee.n_envs, message.pointee.envs)
        self.envs = Dictionary(envsEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        self.mounts = MessageReader.messages(message.pointee.n_mounts, message.pointee.mounts)
        self.devices = MessageReader.messages(message.pointee.n_devices, message.pointee.devices)
        let annotationsEntries: [AnnotationsEntry] = MessageReader.messages(
            message.pointee.n_annotations, message.pointee.annotations)
        self.annotations = Dictionary(annotationsEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        self.cdiDevices = MessageReader.messages(message.pointee.n_cdi_devices, message.pointee.cdi_devices)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__ContainerAllocateResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        let envsEntries = self.envs.sorted { $0.key < $1.key }
            .map { EnvsEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_envs, message.pointee.envs) = try encoder.messages(
            envsEntries, as: V1beta1__ContainerAllocateResponse__EnvsEntry.self, field: "envs")
        (message.pointee.n_mounts, message.pointee.mounts) = try encoder.messages(
            self.mounts, as: V1beta1__Mount.self, field: "mounts")
        (message.pointee.n_devices, message.pointee.devices) = try encoder.messages(
            self.devices, as: V1beta1__DeviceSpec.self, field: "devices")
        let annotationsEntries = self.annotations.sorted { $0.key < $1.key }
            .map { AnnotationsEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_annotations, message.pointee.annotations) = try encoder.messages(
            annotationsEntries, as: V1beta1__ContainerAllocateResponse__AnnotationsEntry.self, field: "annotations")
        (message.pointee.n_cdi_devices, message.pointee.cdi_devices) = try encoder.messages(
            self.cdiDevices, as: V1beta1__CDIDevice.self, field: "cdi_devices")
    }

    /// One pair of a map: `v1beta1.ContainerAllocateResponse.EnvsEntry`.
    fileprivate struct EnvsEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: String = ""
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: String = ""
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: V1beta1__ContainerAllocateResponse__EnvsEntry.self,
            initializedBy: v1beta1__container_allocate_response__envs_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: V1beta1__ContainerAllocateResponse__EnvsEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: V1beta1__ContainerAllocateResponse__EnvsEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            if !self.value.isEmpty {
                message.pointee.value = try encoder.string(self.value, field: "value")
            }
        }
    }

    /// One pair of a map: `v1beta1.ContainerAllocateResponse.AnnotationsEntry`.
    fileprivate struct AnnotationsEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: String = ""
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: String = ""
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: V1beta1__ContainerAllocateResponse__AnnotationsEntry.self,
            initializedBy: v1beta1__container_allocate_response__annotations_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: V1beta1__ContainerAllocateResponse__AnnotationsEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: V1beta1__ContainerAllocateResponse__AnnotationsEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            if !self.value.isEmpty {
                message.pointee.value = try encoder.string(self.value, field: "value")
            }
        }
    }
}

/// `v1beta1.Mount`.
public struct V1beta1_Mount: Message {
    /// `container_path`, field 1.
    public var containerPath: String = ""
    /// `host_path`, field 2.
    public var hostPath: String = ""
    /// `read_only`, field 3.
    public var readOnly: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        containerPath: String = "",
        hostPath: String = "",
        readOnly: Bool = false
    ) {
        self.containerPath = containerPath
        self.hostPath = hostPath
        self.readOnly = readOnly
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__Mount.self,
        initializedBy: v1beta1__mount__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__Mount.self)
        self.containerPath = MessageReader.string(message.pointee.container_path)
        self.hostPath = MessageReader.string(message.pointee.host_path)
        self.readOnly = MessageReader.bool(message.pointee.read_only)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__Mount.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.containerPath.isEmpty {
            message.pointee.container_path = try encoder.string(self.containerPath, field: "container_path")
        }
        if !self.hostPath.isEmpty {
            message.pointee.host_path = try encoder.string(self.hostPath, field: "host_path")
        }
        message.pointee.read_only = self.readOnly ? 1 : 0
    }
}

/// `v1beta1.DeviceSpec`.
public struct V1beta1_DeviceSpec: Message {
    /// `container_path`, field 1.
    public var containerPath: String = ""
    /// `host_path`, field 2.
    public var hostPath: String = ""
    /// `permissions`, field 3.
    public var permissions: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        containerPath: String = "",
        hostPath: String = "",
        permissions: String = ""
    ) {
        self.containerPath = containerPath
        self.hostPath = hostPath
        self.permissions = permissions
    }

    public static let descriptor = MessageDescriptor(
        of: V1beta1__DeviceSpec.self,
        initializedBy: v1beta1__device_spec__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: V1beta1__DeviceSpec.self)
        self.containerPath = MessageReader.string(message.pointee.container_path)
        self.hostPath = MessageReader.string(message.pointee.host_path)
        self.permissions = MessageReader.string(message.pointee.permissions)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: V1beta1__DeviceSpec.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.containerPath.isEmpty {
            message.pointee.container_path = try encoder.string(self.containerPath, field: "container_path")
        }
        if !self.hostPath.isEmpty {
            message.pointee.host_path = try encoder.string(self.hostPath, field: "host_path")
        }
        if !self.permissions.isEmpty {
            message.pointee.permissions = try encoder.string(self.permissions, field: "permissions")
        }
    }
}

/// `kubelet/deviceplugin.proto` in protobuf's own terms, for server reflection.
public enum V1beta1_DevicepluginFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "kubelet/deviceplugin.proto",
        dependencies: [],
        serialized: """
            \n\u{1a}kubelet/deviceplugin.proto\u{12}\u{7}v1beta1\"\u{90}\u{1}\n\u{13}DevicePluginOptions\u{12},\
            \n\u{12}pre_start_required\u{18}\u{1} \u{1}(\u{8}R\u{10}preStartRequired\u{12}K\n\"get_preferred_al\
            location_available\u{18}\u{2} \u{1}(\u{8}R\u{1f}getPreferredAllocationAvailable\"\u{a4}\u{1}\n\u{f}\
            RegisterRequest\u{12}\u{18}\n\u{7}version\u{18}\u{1} \u{1}(\tR\u{7}version\u{12}\u{1a}\n\u{8}endpoi\
            nt\u{18}\u{2} \u{1}(\tR\u{8}endpoint\u{12}#\n\rresource_name\u{18}\u{3} \u{1}(\tR\u{c}resourceName\
            \u{12}6\n\u{7}options\u{18}\u{4} \u{1}(\u{b}2\u{1c}.v1beta1.DevicePluginOptionsR\u{7}options\"\u{7}\
            \n\u{5}Empty\"A\n\u{14}ListAndWatchResponse\u{12})\n\u{7}devices\u{18}\u{1} \u{3}(\u{b}2\u{f}.v1bet\
            a1.DeviceR\u{7}devices\"7\n\u{c}TopologyInfo\u{12}'\n\u{5}nodes\u{18}\u{1} \u{3}(\u{b}2\u{11}.v1bet\
            a1.NUMANodeR\u{5}nodes\"\u{1a}\n\u{8}NUMANode\u{12}\u{e}\n\u{2}ID\u{18}\u{1} \u{1}(\u{3}R\u{2}ID\"c\
            \n\u{6}Device\u{12}\u{e}\n\u{2}ID\u{18}\u{1} \u{1}(\tR\u{2}ID\u{12}\u{16}\n\u{6}health\u{18}\u{2} \
            \u{1}(\tR\u{6}health\u{12}1\n\u{8}topology\u{18}\u{3} \u{1}(\u{b}2\u{15}.v1beta1.TopologyInfoR\u{8}\
            topology\";\n\u{18}PreStartContainerRequest\u{12}\u{1f}\n\u{b}devices_ids\u{18}\u{1} \u{3}(\tR\ndev\
            icesIds\"\u{1b}\n\u{19}PreStartContainerResponse\"y\n\u{1a}PreferredAllocationRequest\u{12}[\n\
            \u{12}container_requests\u{18}\u{1} \u{3}(\u{b}2,.v1beta1.ContainerPreferredAllocationRequestR\
            \u{11}containerRequests\"\u{b5}\u{1}\n#ContainerPreferredAllocationRequest\u{12}/\n\u{13}available_\
            deviceIDs\u{18}\u{1} \u{3}(\tR\u{12}availableDeviceIDs\u{12}4\n\u{16}must_include_deviceIDs\u{18}\
            \u{2} \u{3}(\tR\u{14}mustIncludeDeviceIDs\u{12}'\n\u{f}allocation_size\u{18}\u{3} \u{1}(\u{5}R\u{e}\
            allocationSize\"}\n\u{1b}PreferredAllocationResponse\u{12}^\n\u{13}container_responses\u{18}\u{1} \
            \u{3}(\u{b}2-.v1beta1.ContainerPreferredAllocationResponseR\u{12}containerResponses\"D\n$ContainerP\
            referredAllocationResponse\u{12}\u{1c}\n\tdeviceIDs\u{18}\u{1} \u{3}(\tR\tdeviceIDs\"c\n\u{f}Alloca\
            teRequest\u{12}P\n\u{12}container_requests\u{18}\u{1} \u{3}(\u{b}2!.v1beta1.ContainerAllocateReques\
            tR\u{11}containerRequests\";\n\u{18}ContainerAllocateRequest\u{12}\u{1f}\n\u{b}devices_ids\u{18}\
            \u{1} \u{3}(\tR\ndevicesIds\"\u{1f}\n\tCDIDevice\u{12}\u{12}\n\u{4}name\u{18}\u{1} \u{1}(\tR\u{4}na\
            me\"g\n\u{10}AllocateResponse\u{12}S\n\u{13}container_responses\u{18}\u{1} \u{3}(\u{b}2\".v1beta1.C\
            ontainerAllocateResponseR\u{12}containerResponses\"\u{b9}\u{3}\n\u{19}ContainerAllocateResponse\
            \u{12}@\n\u{4}envs\u{18}\u{1} \u{3}(\u{b}2,.v1beta1.ContainerAllocateResponse.EnvsEntryR\u{4}envs\
            \u{12}&\n\u{6}mounts\u{18}\u{2} \u{3}(\u{b}2\u{e}.v1beta1.MountR\u{6}mounts\u{12}-\n\u{7}devices\
            \u{18}\u{3} \u{3}(\u{b}2\u{13}.v1beta1.DeviceSpecR\u{7}devices\u{12}U\n\u{b}annotations\u{18}\u{4} \
            \u{3}(\u{b}23.v1beta1.ContainerAllocateResponse.AnnotationsEntryR\u{b}annotations\u{12}3\n\u{b}cdi_\
            devices\u{18}\u{5} \u{3}(\u{b}2\u{12}.v1beta1.CDIDeviceR\ncdiDevices\u{1a}7\n\tEnvsEntry\u{12}\
            \u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\tR\u{5}valu\
            e:\u{2}8\u{1}\u{1a}>\n\u{10}AnnotationsEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\
            \u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\tR\u{5}value:\u{2}8\u{1}\"h\n\u{5}Mount\u{12}%\n\u{e}con\
            tainer_path\u{18}\u{1} \u{1}(\tR\rcontainerPath\u{12}\u{1b}\n\thost_path\u{18}\u{2} \u{1}(\tR\u{8}h\
            ostPath\u{12}\u{1b}\n\tread_only\u{18}\u{3} \u{1}(\u{8}R\u{8}readOnly\"r\n\nDeviceSpec\u{12}%\n\
            \u{e}container_path\u{18}\u{1} \u{1}(\tR\rcontainerPath\u{12}\u{1b}\n\thost_path\u{18}\u{2} \u{1}(\
            \tR\u{8}hostPath\u{12} \n\u{b}permissions\u{18}\u{3} \u{1}(\tR\u{b}permissions2D\n\u{c}Registration\
            \u{12}4\n\u{8}Register\u{12}\u{18}.v1beta1.RegisterRequest\u{1a}\u{e}.v1beta1.Empty2\u{99}\u{3}\n\
            \u{c}DevicePlugin\u{12}F\n\u{16}GetDevicePluginOptions\u{12}\u{e}.v1beta1.Empty\u{1a}\u{1c}.v1beta1\
            .DevicePluginOptions\u{12}?\n\u{c}ListAndWatch\u{12}\u{e}.v1beta1.Empty\u{1a}\u{1d}.v1beta1.ListAnd\
            WatchResponse0\u{1}\u{12}c\n\u{16}GetPreferredAllocation\u{12}#.v1beta1.PreferredAllocationRequest\
            \u{1a}$.v1beta1.PreferredAllocationResponse\u{12}?\n\u{8}Allocate\u{12}\u{18}.v1beta1.AllocateReque\
            st\u{1a}\u{19}.v1beta1.AllocateResponse\u{12}Z\n\u{11}PreStartContainer\u{12}!.v1beta1.PreStartCont\
            ainerRequest\u{1a}\".v1beta1.PreStartContainerResponseb\u{6}proto3
            """)
}
