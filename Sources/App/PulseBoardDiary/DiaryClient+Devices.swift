import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import RPCClient
import RPCCore

/// The devices of a diary on its server.
extension DiaryClient {
    /// The owner's devices, in the order of their ids.
    public func devices() async throws(DiaryError) -> [DiaryDevice] {
        let answer = try await call { options throws(RPCError) in
            try await service.listDiaryDevices(PBListDiaryDevicesRequest(), options: options)
        }
        return try answer.devices.map { device throws(DiaryError) in
            guard let id = DiaryDeviceID(text: device.id), let seen = device.seenTime?.microsecondsSinceEpoch else { throw .answerNotUnderstood }
            return DiaryDevice(id: id, name: device.name, lastMutation: device.lastMutation, seenTime: Timestamp(microseconds: seen))
        }
    }

    /// Makes the server forget a device. What the device has sent stays. If its directory synchronizes again, it registers as a new device.
    public func remove(_ device: DiaryDeviceID) async throws(DiaryError) {
        _ = try await call { options throws(RPCError) in
            try await service.deleteDiaryDevice(PBDeleteDiaryDeviceRequest(deviceID: device.description), options: options)
        }
    }
}
