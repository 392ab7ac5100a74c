// Written by protoc-gen-pulseboard-swift from containerd/task/v2/shim.proto.
// Do not edit: change that file and generate again.

internal import InteropMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// `containerd.task.v2.CreateTaskRequest`.
public struct Containerd_Task_V2_CreateTaskRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `bundle`, field 2.
    public var bundle: String = ""
    /// `rootfs`, field 3.
    public var rootfs: [Containerd_Types_Mount] = []
    /// `terminal`, field 4.
    public var terminal: Bool = false
    /// `stdin`, field 5.
    public var stdin: String = ""
    /// `stdout`, field 6.
    public var stdout: String = ""
    /// `stderr`, field 7.
    public var stderr: String = ""
    /// `checkpoint`, field 8.
    public var checkpoint: String = ""
    /// `parent_checkpoint`, field 9.
    public var parentCheckpoint: String = ""
    /// `options`, field 10.
    public var options: Google_Protobuf_Any?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        bundle: String = "",
        rootfs: [Containerd_Types_Mount] = [],
        terminal: Bool = false,
        stdin: String = "",
        stdout: String = "",
        stderr: String = "",
        checkpoint: String = "",
        parentCheckpoint: String = "",
        options: Google_Protobuf_Any? = nil
    ) {
        self.id = id
        self.bundle = bundle
        self.rootfs = rootfs
        self.terminal = terminal
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.checkpoint = checkpoint
        self.parentCheckpoint = parentCheckpoint
        self.options = options
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__CreateTaskRequest.self,
        initializedBy: containerd__task__v2__create_task_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__CreateTaskRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.bundle = MessageReader.string(message.pointee.bundle)
        self.rootfs = MessageReader.messages(message.pointee.n_rootfs, message.pointee.rootfs)
        self.terminal = MessageReader.bool(message.pointee.terminal)
        self.stdin = MessageReader.string(message.pointee.stdin)
        self.stdout = MessageReader.string(message.pointee.stdout)
        self.stderr = MessageReader.string(message.pointee.stderr)
        self.checkpoint = MessageReader.string(message.pointee.checkpoint)
        self.parentCheckpoint = MessageReader.string(message.pointee.parent_checkpoint)
        self.options = MessageReader.message(message.pointee.options)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__CreateTaskRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.bundle.isEmpty {
            message.pointee.bundle = try encoder.string(self.bundle, field: "bundle")
        }
        (message.pointee.n_rootfs, message.pointee.rootfs) = try encoder.messages(
            self.rootfs, as: Containerd__Types__Mount.self, field: "rootfs")
        message.pointee.terminal = self.terminal ? 1 : 0
        if !self.stdin.isEmpty {
            message.pointee.stdin = try encoder.string(self.stdin, field: "stdin")
        }
        if !self.stdout.isEmpty {
            message.pointee.stdout = try encoder.string(self.stdout, field: "stdout")
        }
        if !self.stderr.isEmpty {
            message.pointee.stderr = try encoder.string(self.stderr, field: "stderr")
        }
        if !self.checkpoint.isEmpty {
            message.pointee.checkpoint = try encoder.string(self.checkpoint, field: "checkpoint")
        }
        if !self.parentCheckpoint.isEmpty {
            message.pointee.parent_checkpoint = try encoder.string(self.parentCheckpoint, field: "parent_checkpoint")
        }
        message.pointee.options = try encoder.message(self.options, as: Google__Protobuf__Any.self, field: "options")
    }
}

/// `containerd.task.v2.CreateTaskResponse`.
public struct Containerd_Task_V2_CreateTaskResponse: Message {
    /// `pid`, field 1.
    public var pid: UInt32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(pid: UInt32 = 0) {
        self.pid = pid
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__CreateTaskResponse.self,
        initializedBy: containerd__task__v2__create_task_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__CreateTaskResponse.self)
        self.pid = message.pointee.pid
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__CreateTaskResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.pid = self.pid
    }
}

/// `containerd.task.v2.DeleteRequest`.
public struct Containerd_Task_V2_DeleteRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = ""
    ) {
        self.id = id
        self.execID = execID
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__DeleteRequest.self,
        initializedBy: containerd__task__v2__delete_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__DeleteRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__DeleteRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
    }
}

/// `containerd.task.v2.DeleteResponse`.
public struct Containerd_Task_V2_DeleteResponse: Message {
    /// `pid`, field 1.
    public var pid: UInt32 = 0
    /// `exit_status`, field 2.
    public var exitStatus: UInt32 = 0
    /// `exited_at`, field 3.
    public var exitedAt: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        pid: UInt32 = 0,
        exitStatus: UInt32 = 0,
        exitedAt: Google_Protobuf_Timestamp? = nil
    ) {
        self.pid = pid
        self.exitStatus = exitStatus
        self.exitedAt = exitedAt
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__DeleteResponse.self,
        initializedBy: containerd__task__v2__delete_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__DeleteResponse.self)
        self.pid = message.pointee.pid
        self.exitStatus = message.pointee.exit_status
        self.exitedAt = MessageReader.message(message.pointee.exited_at)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__DeleteResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.pid = self.pid
        message.pointee.exit_status = self.exitStatus
        message.pointee.exited_at = try encoder.message(
            self.exitedAt, as: Google__Protobuf__Timestamp.self, field: "exited_at")
    }
}

/// `containerd.task.v2.ExecProcessRequest`.
public struct Containerd_Task_V2_ExecProcessRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    /// `terminal`, field 3.
    public var terminal: Bool = false
    /// `stdin`, field 4.
    public var stdin: String = ""
    /// `stdout`, field 5.
    public var stdout: String = ""
    /// `stderr`, field 6.
    public var stderr: String = ""
    /// `spec`, field 7.
    public var spec: Google_Protobuf_Any?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = "",
        terminal: Bool = false,
        stdin: String = "",
        stdout: String = "",
        stderr: String = "",
        spec: Google_Protobuf_Any? = nil
    ) {
        self.id = id
        self.execID = execID
        self.terminal = terminal
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.spec = spec
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__ExecProcessRequest.self,
        initializedBy: containerd__task__v2__exec_process_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__ExecProcessRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.terminal = MessageReader.bool(message.pointee.terminal)
        self.stdin = MessageReader.string(message.pointee.stdin)
        self.stdout = MessageReader.string(message.pointee.stdout)
        self.stderr = MessageReader.string(message.pointee.stderr)
        self.spec = MessageReader.message(message.pointee.spec)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__ExecProcessRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
        message.pointee.terminal = self.terminal ? 1 : 0
        if !self.stdin.isEmpty {
            message.pointee.stdin = try encoder.string(self.stdin, field: "stdin")
        }
        if !self.stdout.isEmpty {
            message.pointee.stdout = try encoder.string(self.stdout, field: "stdout")
        }
        if !self.stderr.isEmpty {
            message.pointee.stderr = try encoder.string(self.stderr, field: "stderr")
        }
        message.pointee.spec = try encoder.message(self.spec, as: Google__Protobuf__Any.self, field: "spec")
    }
}

/// `containerd.task.v2.ResizePtyRequest`.
public struct Containerd_Task_V2_ResizePtyRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    /// `width`, field 3.
    public var width: UInt32 = 0
    /// `height`, field 4.
    public var height: UInt32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = "",
        width: UInt32 = 0,
        height: UInt32 = 0
    ) {
        self.id = id
        self.execID = execID
        self.width = width
        self.height = height
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__ResizePtyRequest.self,
        initializedBy: containerd__task__v2__resize_pty_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__ResizePtyRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.width = message.pointee.width
        self.height = message.pointee.height
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__ResizePtyRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
        message.pointee.width = self.width
        message.pointee.height = self.height
    }
}

/// `containerd.task.v2.StateRequest`.
public struct Containerd_Task_V2_StateRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = ""
    ) {
        self.id = id
        self.execID = execID
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__StateRequest.self,
        initializedBy: containerd__task__v2__state_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__StateRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__StateRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
    }
}

/// `containerd.task.v2.StateResponse`.
public struct Containerd_Task_V2_StateResponse: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `bundle`, field 2.
    public var bundle: String = ""
    /// `pid`, field 3.
    public var pid: UInt32 = 0
    /// `status`, field 4.
    public var status: Containerd_Types_Status = .init()
    /// `stdin`, field 5.
    public var stdin: String = ""
    /// `stdout`, field 6.
    public var stdout: String = ""
    /// `stderr`, field 7.
    public var stderr: String = ""
    /// `terminal`, field 8.
    public var terminal: Bool = false
    /// `exit_status`, field 9.
    public var exitStatus: UInt32 = 0
    /// `exited_at`, field 10.
    public var exitedAt: Google_Protobuf_Timestamp?
    /// `exec_id`, field 11.
    public var execID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        bundle: String = "",
        pid: UInt32 = 0,
        status: Containerd_Types_Status = .init(),
        stdin: String = "",
        stdout: String = "",
        stderr: String = "",
        terminal: Bool = false,
        exitStatus: UInt32 = 0,
        exitedAt: Google_Protobuf_Timestamp? = nil,
        execID: String = ""
    ) {
        self.id = id
        self.bundle = bundle
        self.pid = pid
        self.status = status
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr
        self.terminal = terminal
        self.exitStatus = exitStatus
        self.exitedAt = exitedAt
        self.execID = execID
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__StateResponse.self,
        initializedBy: containerd__task__v2__state_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__StateResponse.self)
        self.id = MessageReader.string(message.pointee.id)
        self.bundle = MessageReader.string(message.pointee.bundle)
        self.pid = message.pointee.pid
        self.status = MessageReader.enumeration(message.pointee.status)
        self.stdin = MessageReader.string(message.pointee.stdin)
        self.stdout = MessageReader.string(message.pointee.stdout)
        self.stderr = MessageReader.string(message.pointee.stderr)
        self.terminal = MessageReader.bool(message.pointee.terminal)
        self.exitStatus = message.pointee.exit_status
        self.exitedAt = MessageReader.message(message.pointee.exited_at)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__StateResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.bundle.isEmpty {
            message.pointee.bundle = try encoder.string(self.bundle, field: "bundle")
        }
        message.pointee.pid = self.pid
        message.pointee.status = encoder.enumeration(self.status, as: Containerd__Types__Status.self)
        if !self.stdin.isEmpty {
            message.pointee.stdin = try encoder.string(self.stdin, field: "stdin")
        }
        if !self.stdout.isEmpty {
            message.pointee.stdout = try encoder.string(self.stdout, field: "stdout")
        }
        if !self.stderr.isEmpty {
            message.pointee.stderr = try encoder.string(self.stderr, field: "stderr")
        }
        message.pointee.terminal = self.terminal ? 1 : 0
        message.pointee.exit_status = self.exitStatus
        message.pointee.exited_at = try encoder.message(
            self.exitedAt, as: Google__Protobuf__Timestamp.self, field: "exited_at")
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
    }
}

/// `containerd.task.v2.KillRequest`.
public struct Containerd_Task_V2_KillRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    /// `signal`, field 3.
    public var signal: UInt32 = 0
    /// `all`, field 4.
    public var all: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = "",
        signal: UInt32 = 0,
        all: Bool = false
    ) {
        self.id = id
        self.execID = execID
        self.signal = signal
        self.all = all
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__KillRequest.self,
        initializedBy: containerd__task__v2__kill_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__KillRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.signal = message.pointee.signal
        self.all = MessageReader.bool(message.pointee.all)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__KillRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
        message.pointee.signal = self.signal
        message.pointee.all = self.all ? 1 : 0
    }
}

/// `containerd.task.v2.CloseIORequest`.
public struct Containerd_Task_V2_CloseIORequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    /// `stdin`, field 3.
    public var stdin: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = "",
        stdin: Bool = false
    ) {
        self.id = id
        self.execID = execID
        self.stdin = stdin
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__CloseIORequest.self,
        initializedBy: containerd__task__v2__close_iorequest__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__CloseIORequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.stdin = MessageReader.bool(message.pointee.stdin)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__CloseIORequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
        message.pointee.stdin = self.stdin ? 1 : 0
    }
}

/// `containerd.task.v2.PidsRequest`.
public struct Containerd_Task_V2_PidsRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__PidsRequest.self,
        initializedBy: containerd__task__v2__pids_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__PidsRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__PidsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// `containerd.task.v2.PidsResponse`.
public struct Containerd_Task_V2_PidsResponse: Message {
    /// `processes`, field 1.
    public var processes: [Containerd_Types_ProcessInfo] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(processes: [Containerd_Types_ProcessInfo] = []) {
        self.processes = processes
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__PidsResponse.self,
        initializedBy: containerd__task__v2__pids_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__PidsResponse.self)
        self.processes = MessageReader.messages(message.pointee.n_processes, message.pointee.processes)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__PidsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_processes, message.pointee.processes) = try encoder.messages(
            self.processes, as: Containerd__Types__ProcessInfo.self, field: "processes")
    }
}

/// `containerd.task.v2.CheckpointTaskRequest`.
public struct Containerd_Task_V2_CheckpointTaskRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `path`, field 2.
    public var path: String = ""
    /// `options`, field 3.
    public var options: Google_Protobuf_Any?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        path: String = "",
        options: Google_Protobuf_Any? = nil
    ) {
        self.id = id
        self.path = path
        self.options = options
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__CheckpointTaskRequest.self,
        initializedBy: containerd__task__v2__checkpoint_task_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__CheckpointTaskRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.path = MessageReader.string(message.pointee.path)
        self.options = MessageReader.message(message.pointee.options)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__CheckpointTaskRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.path.isEmpty {
            message.pointee.path = try encoder.string(self.path, field: "path")
        }
        message.pointee.options = try encoder.message(self.options, as: Google__Protobuf__Any.self, field: "options")
    }
}

/// `containerd.task.v2.UpdateTaskRequest`.
public struct Containerd_Task_V2_UpdateTaskRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `resources`, field 2.
    public var resources: Google_Protobuf_Any?
    /// `annotations`, field 3.
    public var annotations: [String: String] = [:]
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        resources: Google_Protobuf_Any? = nil,
        annotations: [String: String] = [:]
    ) {
        self.id = id
        self.resources = resources
        self.annotations = annotations
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__UpdateTaskRequest.self,
        initializedBy: containerd__task__v2__update_task_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__UpdateTaskRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.resources = MessageReader.message(message.pointee.resources)
        let annotationsEntries: [AnnotationsEntry] = MessageReader.messages(
            message.pointee.n_annotations, message.pointee.annotations)
        self.annotations = Dictionary(annotationsEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__UpdateTaskRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        message.pointee.resources = try encoder.message(
            self.resources, as: Google__Protobuf__Any.self, field: "resources")
        let annotationsEntries = self.annotations.sorted { $0.key < $1.key }
            .map { AnnotationsEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_annotations, message.pointee.annotations) = try encoder.messages(
            annotationsEntries, as: Containerd__Task__V2__UpdateTaskRequest__AnnotationsEntry.self, field: "annotations")
    }

    /// One pair of a map: `containerd.task.v2.UpdateTaskRequest.AnnotationsEntry`.
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
            of: Containerd__Task__V2__UpdateTaskRequest__AnnotationsEntry.self,
            initializedBy: containerd__task__v2__update_task_request__annotations_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Containerd__Task__V2__UpdateTaskRequest__AnnotationsEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Containerd__Task__V2__UpdateTaskRequest__AnnotationsEntry.self)
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

/// `containerd.task.v2.StartRequest`.
public struct Containerd_Task_V2_StartRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = ""
    ) {
        self.id = id
        self.execID = execID
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__StartRequest.self,
        initializedBy: containerd__task__v2__start_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__StartRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__StartRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
    }
}

/// `containerd.task.v2.StartResponse`.
public struct Containerd_Task_V2_StartResponse: Message {
    /// `pid`, field 1.
    public var pid: UInt32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(pid: UInt32 = 0) {
        self.pid = pid
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__StartResponse.self,
        initializedBy: containerd__task__v2__start_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__StartResponse.self)
        self.pid = message.pointee.pid
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__StartResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.pid = self.pid
    }
}

/// `containerd.task.v2.WaitRequest`.
public struct Containerd_Task_V2_WaitRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `exec_id`, field 2.
    public var execID: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        execID: String = ""
    ) {
        self.id = id
        self.execID = execID
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__WaitRequest.self,
        initializedBy: containerd__task__v2__wait_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__WaitRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.execID = MessageReader.string(message.pointee.exec_id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__WaitRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.execID.isEmpty {
            message.pointee.exec_id = try encoder.string(self.execID, field: "exec_id")
        }
    }
}

/// `containerd.task.v2.WaitResponse`.
public struct Containerd_Task_V2_WaitResponse: Message {
    /// `exit_status`, field 1.
    public var exitStatus: UInt32 = 0
    /// `exited_at`, field 2.
    public var exitedAt: Google_Protobuf_Timestamp?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        exitStatus: UInt32 = 0,
        exitedAt: Google_Protobuf_Timestamp? = nil
    ) {
        self.exitStatus = exitStatus
        self.exitedAt = exitedAt
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__WaitResponse.self,
        initializedBy: containerd__task__v2__wait_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__WaitResponse.self)
        self.exitStatus = message.pointee.exit_status
        self.exitedAt = MessageReader.message(message.pointee.exited_at)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__WaitResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.exit_status = self.exitStatus
        message.pointee.exited_at = try encoder.message(
            self.exitedAt, as: Google__Protobuf__Timestamp.self, field: "exited_at")
    }
}

/// `containerd.task.v2.StatsRequest`.
public struct Containerd_Task_V2_StatsRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__StatsRequest.self,
        initializedBy: containerd__task__v2__stats_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__StatsRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__StatsRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// `containerd.task.v2.StatsResponse`.
public struct Containerd_Task_V2_StatsResponse: Message {
    /// `stats`, field 1.
    public var stats: Google_Protobuf_Any?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(stats: Google_Protobuf_Any? = nil) {
        self.stats = stats
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__StatsResponse.self,
        initializedBy: containerd__task__v2__stats_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__StatsResponse.self)
        self.stats = MessageReader.message(message.pointee.stats)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__StatsResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.stats = try encoder.message(self.stats, as: Google__Protobuf__Any.self, field: "stats")
    }
}

/// `containerd.task.v2.ConnectRequest`.
public struct Containerd_Task_V2_ConnectRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__ConnectRequest.self,
        initializedBy: containerd__task__v2__connect_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__ConnectRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__ConnectRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// `containerd.task.v2.ConnectResponse`.
public struct Containerd_Task_V2_ConnectResponse: Message {
    /// `shim_pid`, field 1.
    public var shimPid: UInt32 = 0
    /// `task_pid`, field 2.
    public var taskPid: UInt32 = 0
    /// `version`, field 3.
    public var version: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        shimPid: UInt32 = 0,
        taskPid: UInt32 = 0,
        version: String = ""
    ) {
        self.shimPid = shimPid
        self.taskPid = taskPid
        self.version = version
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__ConnectResponse.self,
        initializedBy: containerd__task__v2__connect_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__ConnectResponse.self)
        self.shimPid = message.pointee.shim_pid
        self.taskPid = message.pointee.task_pid
        self.version = MessageReader.string(message.pointee.version)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__ConnectResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.shim_pid = self.shimPid
        message.pointee.task_pid = self.taskPid
        if !self.version.isEmpty {
            message.pointee.version = try encoder.string(self.version, field: "version")
        }
    }
}

/// `containerd.task.v2.ShutdownRequest`.
public struct Containerd_Task_V2_ShutdownRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    /// `now`, field 2.
    public var now: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        id: String = "",
        now: Bool = false
    ) {
        self.id = id
        self.now = now
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__ShutdownRequest.self,
        initializedBy: containerd__task__v2__shutdown_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__ShutdownRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.now = MessageReader.bool(message.pointee.now)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__ShutdownRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        message.pointee.now = self.now ? 1 : 0
    }
}

/// `containerd.task.v2.PauseRequest`.
public struct Containerd_Task_V2_PauseRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__PauseRequest.self,
        initializedBy: containerd__task__v2__pause_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__PauseRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__PauseRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// `containerd.task.v2.ResumeRequest`.
public struct Containerd_Task_V2_ResumeRequest: Message {
    /// `id`, field 1.
    public var id: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(id: String = "") {
        self.id = id
    }

    public static let descriptor = MessageDescriptor(
        of: Containerd__Task__V2__ResumeRequest.self,
        initializedBy: containerd__task__v2__resume_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Containerd__Task__V2__ResumeRequest.self)
        self.id = MessageReader.string(message.pointee.id)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Containerd__Task__V2__ResumeRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
    }
}

/// `containerd/task/v2/shim.proto` in protobuf's own terms, for server reflection.
public enum Containerd_Task_V2_ShimFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "containerd/task/v2/shim.proto",
        dependencies: [
            Containerd_Types_TypesFile.descriptor,
            Google_Protobuf_AnyFile.descriptor,
            Google_Protobuf_EmptyFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
        ],
        serialized: """
            \n\u{1d}containerd/task/v2/shim.proto\u{12}\u{12}containerd.task.v2\u{1a}\u{1c}containerd/types/typ\
            es.proto\u{1a}\u{19}google/protobuf/any.proto\u{1a}\u{1b}google/protobuf/empty.proto\u{1a}\u{1f}goo\
            gle/protobuf/timestamp.proto\"\u{cb}\u{2}\n\u{11}CreateTaskRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \
            \u{1}(\tR\u{2}id\u{12}\u{16}\n\u{6}bundle\u{18}\u{2} \u{1}(\tR\u{6}bundle\u{12}/\n\u{6}rootfs\u{18}\
            \u{3} \u{3}(\u{b}2\u{17}.containerd.types.MountR\u{6}rootfs\u{12}\u{1a}\n\u{8}terminal\u{18}\u{4} \
            \u{1}(\u{8}R\u{8}terminal\u{12}\u{14}\n\u{5}stdin\u{18}\u{5} \u{1}(\tR\u{5}stdin\u{12}\u{16}\n\u{6}\
            stdout\u{18}\u{6} \u{1}(\tR\u{6}stdout\u{12}\u{16}\n\u{6}stderr\u{18}\u{7} \u{1}(\tR\u{6}stderr\
            \u{12}\u{1e}\n\ncheckpoint\u{18}\u{8} \u{1}(\tR\ncheckpoint\u{12}+\n\u{11}parent_checkpoint\u{18}\t\
             \u{1}(\tR\u{10}parentCheckpoint\u{12}.\n\u{7}options\u{18}\n \u{1}(\u{b}2\u{14}.google.protobuf.An\
            yR\u{7}options\"&\n\u{12}CreateTaskResponse\u{12}\u{10}\n\u{3}pid\u{18}\u{1} \u{1}(\rR\u{3}pid\"8\n\
            \rDeleteRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\
            \u{2} \u{1}(\tR\u{6}execId\"|\n\u{e}DeleteResponse\u{12}\u{10}\n\u{3}pid\u{18}\u{1} \u{1}(\rR\u{3}p\
            id\u{12}\u{1f}\n\u{b}exit_status\u{18}\u{2} \u{1}(\rR\nexitStatus\u{12}7\n\texited_at\u{18}\u{3} \
            \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{8}exitedAt\"\u{c9}\u{1}\n\u{12}ExecProcessRequest\
            \u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \u{1}(\tR\
            \u{6}execId\u{12}\u{1a}\n\u{8}terminal\u{18}\u{3} \u{1}(\u{8}R\u{8}terminal\u{12}\u{14}\n\u{5}stdin\
            \u{18}\u{4} \u{1}(\tR\u{5}stdin\u{12}\u{16}\n\u{6}stdout\u{18}\u{5} \u{1}(\tR\u{6}stdout\u{12}\
            \u{16}\n\u{6}stderr\u{18}\u{6} \u{1}(\tR\u{6}stderr\u{12}(\n\u{4}spec\u{18}\u{7} \u{1}(\u{b}2\u{14}\
            .google.protobuf.AnyR\u{4}spec\"i\n\u{10}ResizePtyRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\
            \u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \u{1}(\tR\u{6}execId\u{12}\u{14}\n\u{5}width\u{18}\
            \u{3} \u{1}(\rR\u{5}width\u{12}\u{16}\n\u{6}height\u{18}\u{4} \u{1}(\rR\u{6}height\"7\n\u{c}StateRe\
            quest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \u{1}(\t\
            R\u{6}execId\"\u{d0}\u{2}\n\rStateResponse\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\
            \u{16}\n\u{6}bundle\u{18}\u{2} \u{1}(\tR\u{6}bundle\u{12}\u{10}\n\u{3}pid\u{18}\u{3} \u{1}(\rR\u{3}\
            pid\u{12}0\n\u{6}status\u{18}\u{4} \u{1}(\u{e}2\u{18}.containerd.types.StatusR\u{6}status\u{12}\
            \u{14}\n\u{5}stdin\u{18}\u{5} \u{1}(\tR\u{5}stdin\u{12}\u{16}\n\u{6}stdout\u{18}\u{6} \u{1}(\tR\
            \u{6}stdout\u{12}\u{16}\n\u{6}stderr\u{18}\u{7} \u{1}(\tR\u{6}stderr\u{12}\u{1a}\n\u{8}terminal\
            \u{18}\u{8} \u{1}(\u{8}R\u{8}terminal\u{12}\u{1f}\n\u{b}exit_status\u{18}\t \u{1}(\rR\nexitStatus\
            \u{12}7\n\texited_at\u{18}\n \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{8}exitedAt\u{12}\u{17}\
            \n\u{7}exec_id\u{18}\u{b} \u{1}(\tR\u{6}execId\"`\n\u{b}KillRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \
            \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \u{1}(\tR\u{6}execId\u{12}\u{16}\n\u{6}signal\
            \u{18}\u{3} \u{1}(\rR\u{6}signal\u{12}\u{10}\n\u{3}all\u{18}\u{4} \u{1}(\u{8}R\u{3}all\"O\n\u{e}Clo\
            seIORequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \
            \u{1}(\tR\u{6}execId\u{12}\u{14}\n\u{5}stdin\u{18}\u{3} \u{1}(\u{8}R\u{5}stdin\"\u{1d}\n\u{b}PidsRe\
            quest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\"K\n\u{c}PidsResponse\u{12};\n\tprocesses\
            \u{18}\u{1} \u{3}(\u{b}2\u{1d}.containerd.types.ProcessInfoR\tprocesses\"k\n\u{15}CheckpointTaskReq\
            uest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}\u{12}\n\u{4}path\u{18}\u{2} \u{1}(\tR\
            \u{4}path\u{12}.\n\u{7}options\u{18}\u{3} \u{1}(\u{b}2\u{14}.google.protobuf.AnyR\u{7}options\"\
            \u{f1}\u{1}\n\u{11}UpdateTaskRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\u{12}2\n\treso\
            urces\u{18}\u{2} \u{1}(\u{b}2\u{14}.google.protobuf.AnyR\tresources\u{12}X\n\u{b}annotations\u{18}\
            \u{3} \u{3}(\u{b}26.containerd.task.v2.UpdateTaskRequest.AnnotationsEntryR\u{b}annotations\u{1a}>\n\
            \u{10}AnnotationsEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\
            \u{18}\u{2} \u{1}(\tR\u{5}value:\u{2}8\u{1}\"7\n\u{c}StartRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \
            \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \u{1}(\tR\u{6}execId\"!\n\rStartResponse\
            \u{12}\u{10}\n\u{3}pid\u{18}\u{1} \u{1}(\rR\u{3}pid\"6\n\u{b}WaitRequest\u{12}\u{e}\n\u{2}id\u{18}\
            \u{1} \u{1}(\tR\u{2}id\u{12}\u{17}\n\u{7}exec_id\u{18}\u{2} \u{1}(\tR\u{6}execId\"h\n\u{c}WaitRespo\
            nse\u{12}\u{1f}\n\u{b}exit_status\u{18}\u{1} \u{1}(\rR\nexitStatus\u{12}7\n\texited_at\u{18}\u{2} \
            \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{8}exitedAt\"\u{1e}\n\u{c}StatsRequest\u{12}\u{e}\n\
            \u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\";\n\rStatsResponse\u{12}*\n\u{5}stats\u{18}\u{1} \u{1}(\u{b}2\
            \u{14}.google.protobuf.AnyR\u{5}stats\" \n\u{e}ConnectRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\
            \tR\u{2}id\"a\n\u{f}ConnectResponse\u{12}\u{19}\n\u{8}shim_pid\u{18}\u{1} \u{1}(\rR\u{7}shimPid\
            \u{12}\u{19}\n\u{8}task_pid\u{18}\u{2} \u{1}(\rR\u{7}taskPid\u{12}\u{18}\n\u{7}version\u{18}\u{3} \
            \u{1}(\tR\u{7}version\"3\n\u{f}ShutdownRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\u{2}id\
            \u{12}\u{10}\n\u{3}now\u{18}\u{2} \u{1}(\u{8}R\u{3}now\"\u{1e}\n\u{c}PauseRequest\u{12}\u{e}\n\u{2}\
            id\u{18}\u{1} \u{1}(\tR\u{2}id\"\u{1f}\n\rResumeRequest\u{12}\u{e}\n\u{2}id\u{18}\u{1} \u{1}(\tR\
            \u{2}id2\u{8a}\n\n\u{4}Task\u{12}L\n\u{5}State\u{12} .containerd.task.v2.StateRequest\u{1a}!.contai\
            nerd.task.v2.StateResponse\u{12}W\n\u{6}Create\u{12}%.containerd.task.v2.CreateTaskRequest\u{1a}&.c\
            ontainerd.task.v2.CreateTaskResponse\u{12}L\n\u{5}Start\u{12} .containerd.task.v2.StartRequest\
            \u{1a}!.containerd.task.v2.StartResponse\u{12}O\n\u{6}Delete\u{12}!.containerd.task.v2.DeleteReques\
            t\u{1a}\".containerd.task.v2.DeleteResponse\u{12}I\n\u{4}Pids\u{12}\u{1f}.containerd.task.v2.PidsRe\
            quest\u{1a} .containerd.task.v2.PidsResponse\u{12}A\n\u{5}Pause\u{12} .containerd.task.v2.PauseRequ\
            est\u{1a}\u{16}.google.protobuf.Empty\u{12}C\n\u{6}Resume\u{12}!.containerd.task.v2.ResumeRequest\
            \u{1a}\u{16}.google.protobuf.Empty\u{12}O\n\nCheckpoint\u{12}).containerd.task.v2.CheckpointTaskReq\
            uest\u{1a}\u{16}.google.protobuf.Empty\u{12}?\n\u{4}Kill\u{12}\u{1f}.containerd.task.v2.KillRequest\
            \u{1a}\u{16}.google.protobuf.Empty\u{12}F\n\u{4}Exec\u{12}&.containerd.task.v2.ExecProcessRequest\
            \u{1a}\u{16}.google.protobuf.Empty\u{12}I\n\tResizePty\u{12}$.containerd.task.v2.ResizePtyRequest\
            \u{1a}\u{16}.google.protobuf.Empty\u{12}E\n\u{7}CloseIO\u{12}\".containerd.task.v2.CloseIORequest\
            \u{1a}\u{16}.google.protobuf.Empty\u{12}G\n\u{6}Update\u{12}%.containerd.task.v2.UpdateTaskRequest\
            \u{1a}\u{16}.google.protobuf.Empty\u{12}I\n\u{4}Wait\u{12}\u{1f}.containerd.task.v2.WaitRequest\
            \u{1a} .containerd.task.v2.WaitResponse\u{12}L\n\u{5}Stats\u{12} .containerd.task.v2.StatsRequest\
            \u{1a}!.containerd.task.v2.StatsResponse\u{12}R\n\u{7}Connect\u{12}\".containerd.task.v2.ConnectReq\
            uest\u{1a}#.containerd.task.v2.ConnectResponse\u{12}G\n\u{8}Shutdown\u{12}#.containerd.task.v2.Shut\
            downRequest\u{1a}\u{16}.google.protobuf.Emptyb\u{6}proto3
            """)
}
