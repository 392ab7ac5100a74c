import ProtobufWellKnownTypes
import RPCCore
import TestHarness

@testable import TTRPCWire

/// The actions of the two ends of a simulated connection. Random numbers choose one for each step.
extension SimulatedConnection {
    /// Most messages are small; some are so large that a few of them fill a window.
    private func messageSize() -> Int { pick(6) == 0 ? pick(60_000) : pick(40) }

    func step(mayOpen: Bool) {
        switch pick(16) {
        case 0 where mayOpen && open.count < 6: makeCall()
        case 0, 1, 2, 3: if let call = randomCall() { clientActs(call) }
        case 4, 5, 6, 7: if let call = randomCall() { serverActs(call) }
        case 8, 9: if let call = randomCall(), pick(call.readerSlowness) == 0 { read(call, all: pick(8) == 0) }
        case 10, 11: write(pick(4) == 0 ? 1 + pick(30) : 200_000)
        case 12, 13: if toServer.count > 0 { deliverToServer(pieceSize()) }
        default: if toClient.count > 0 { deliverToClient(pieceSize()) }
        }
    }

    private func randomCall() -> SimulatedCall? { open.isEmpty ? nil : open[pick(open.count)] }

    private func pieceSize() -> Int { pick(3) == 0 ? 1 + pick(40) : 1 + pick(150_000) }

    // MARK: The client

    private func makeCall() {
        let shape = [CallShape.unary, .serverStreaming, .clientStreaming, .bidirectionalStreaming][pick(4)]
        let method = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
            service: "test.v1.S", method: Self.names[shape]!, shape: shape)
        var request = Google_Protobuf_BytesValue()
        request.value = SimulatedMessage.value(0, size: messageSize())
        do throws(RPCError) {
            let isOpened = shape == .clientStreaming || shape == .bidirectionalStreaming
            let id = isOpened
                ? try client.open(method, timeout: 0, metadata: Metadata())
                : try client.send(request, to: method, timeout: 0, metadata: Metadata())
            check(calls[id] == nil, "id \(id) was given twice")
            let call = SimulatedCall(id, shape, length: [60, 1500][pick(2)], readerSlowness: [1, 5, 100][pick(3)])
            if !isOpened {
                call.clientSent = 1
                call.clientHalfClosed = true
            }
            calls[id] = call
            open.append(call)
        } catch {
            check(false, "a call could not be made: \(error)")
        }
    }

    private func clientActs(_ call: SimulatedCall) {
        guard !call.clientEnded else { return }
        switch pick(call.length) {
        case 0: giveUp(call)
        // A deadline passes on both sides, at different times.
        case 1: pick(2) == 0 ? giveUp(call) : fail(call, .deadlineExceeded)
        case 2, 3:
            guard call.clientStreams, !call.clientHalfClosed else { return }
            call.clientHalfClosed = true
            client.halfClose(call.id)
        default:
            guard call.clientStreams, !call.clientHalfClosed, client.canSend(on: call.id) else { return }
            clientSends(call)
        }
    }

    private func giveUp(_ call: SimulatedCall) {
        client.cancel(call.id, atDeadline: false)
        call.clientEnded = true
        call.clientGaveUp = true
        closeIfOver(call)
    }

    private func clientSends(_ call: SimulatedCall) {
        let unread = call.clientSentBytes - call.serverReadBytes
        // Before the server's first window has come there is no limit.
        if client.streams[call.id]?.sending.limit != nil { check(unread < Self.window, "\(unread) unread bytes of \(call.id)") }
        let value = SimulatedMessage.value(call.clientSent, size: messageSize())
        let serialized = SimulatedMessage.serialized(value)
        if pick(2) == 0 {
            client.send(serialized: serialized, on: call.id)
        } else {
            var message = Google_Protobuf_BytesValue()
            message.value = value
            do throws(RPCError) { try client.send(message, on: call.id) } catch { check(false, "\(call.id) was not written to: \(error)") }
        }
        call.clientSent += 1
        call.clientSentBytes += FrameHeader.byteCount + serialized.count
        call.clientIsBlocked = !client.canSend(on: call.id)
        if call.clientIsBlocked { waits += 1 }
        check(ends == .ours || !call.clientIsBlocked, "\(call.id) waits for a peer that knows no windows")
    }

    // MARK: The server

    private func serverActs(_ call: SimulatedCall) {
        guard call.serverKnows, !call.serverEnded else { return }
        switch pick(call.length) {
        case 0: fail(call, .aborted)
        case 1: answer(call)
        case 2 where call.serverHalfClosed: answer(call)
        default:
            guard call.serverStreams, server.canSend(on: call.id) else { return }
            serverSends(call)
        }
    }

    private func fail(_ call: SimulatedCall, _ code: StatusCode) {
        guard call.serverKnows, !call.serverEnded else { return }
        call.serverEnded = true
        call.answer = code
        server.respond(to: call.id, with: RPCError(code, "simulated"), metadata: nil)
        closeIfOver(call)
    }

    /// Ends a call with OK.
    func answer(_ call: SimulatedCall) {
        guard call.serverKnows, !call.serverEnded else { return }
        call.serverEnded = true
        if call.serverStreams {
            call.answer = .ok
            server.finish(call.id, metadata: nil)
        } else {
            var response = Google_Protobuf_BytesValue()
            response.value = SimulatedMessage.value(0, size: messageSize())
            let count = SimulatedMessage.serialized(SimulatedMessage.serialized(response.value)).count
            call.answer = count <= serverLimit ? .ok : .resourceExhausted
            server.respond(to: call.id, with: response, metadata: nil)
        }
        closeIfOver(call)
    }

    private func serverSends(_ call: SimulatedCall) {
        let unread = call.serverSentBytes - call.clientReadBytes
        check(ends != .ours || call.clientGaveUp || unread < Self.window, "\(unread) unread bytes of \(call.id)")
        let value = SimulatedMessage.value(call.serverSent, size: messageSize())
        let serialized = SimulatedMessage.serialized(value)
        if pick(2) == 0, serialized.count <= serverLimit {
            server.send(serialized: serialized, on: call.id, metadata: nil)
        } else {
            var message = Google_Protobuf_BytesValue()
            message.value = value
            do throws(RPCError) {
                try server.send(message, on: call.id, metadata: nil)
            } catch {
                // Nothing was sent, and the call continues.
                return check(error.code == .resourceExhausted && serialized.count > serverLimit, "\(call.id) was not written to: \(error)")
            }
        }
        call.serverSent += 1
        call.serverSentBytes += FrameHeader.byteCount + serialized.count
        call.serverIsBlocked = !server.canSend(on: call.id)
        if call.serverIsBlocked { waits += 1 }
        check(ends == .ours || !call.serverIsBlocked, "\(call.id) waits for a peer that knows no windows")
    }

    // MARK: The readers

    /// Reads messages on both sides: one each, or all.
    func read(_ call: SimulatedCall, all: Bool) {
        let requests = all ? call.serverUnread.count : min(1, call.serverUnread.count)
        let requestBytes = call.serverUnread.prefix(requests).reduce(0, +)
        call.serverUnread.removeFirst(requests)
        call.serverReadBytes += requestBytes
        if requestBytes > 0, !call.serverEnded { server.consumed(requestBytes, on: call.id) }
        let responses = all ? call.clientUnread.count : min(1, call.clientUnread.count)
        let responseBytes = call.clientUnread.prefix(responses).reduce(0, +)
        call.clientUnread.removeFirst(responses)
        call.clientReadBytes += responseBytes
        if responseBytes > 0, !call.clientEnded { client.consumed(responseBytes, on: call.id) }
    }
}
