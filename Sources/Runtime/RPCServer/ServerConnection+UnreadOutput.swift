import RPCCore

/// A client that does not read its answers: its connection is closed, or those of its streams end that it does not read.
extension ServerConnection {
    /// Notes the result of a write.
    /// - Parameter waiting: the bytes that wait for the socket.
    @inline(__always)
    func watchUnreadOutput(_ written: Int, waiting: Int) {
        let blocked = wire.blockedByteCount
        // The closures have no weak reference, because then all references to the connection would be counted in a side table.
        unreadWatch.wrote(written, waiting: waiting > 0 ? waiting : blocked, on: executor) { self.giveUpUnreadOutput() }
        if blocked > 0 { unreadWatch.streamsWait(on: executor) { self.endNeglectedStreams() } }
    }

    private func giveUpUnreadOutput() {
        // The client takes what comes from the socket. Only some of its streams are not read.
        let blocked = outputByteCount == 0 ? wire.blockedStreams : []
        guard blocked.isEmpty else { return endBlockedStreams(blocked) }
        account.count(.unreadSeconds)
        shared.logger.warning(
            "closed a connection whose client does not read its answers",
            metadata: peer.logMetadata(["unread.bytes": "\(outputByteCount + wire.blockedByteCount)"]))
        close(because: "unread_answers")
    }

    /// Ends streams whose client reads only others.
    /// - Returns: whether some still wait.
    private func endNeglectedStreams() -> Bool {
        let neglected = wire.neglectedStreams(unlessTaken: UnreadOutputWatch.progressByteCount)
        if !neglected.isEmpty { endBlockedStreams(neglected) }
        return wire.blockedByteCount > 0
    }

    private func endBlockedStreams(_ ids: [CallID]) {
        account.count(.unreadSeconds)
        shared.logger.warning("ended streams whose client does not read their answers", metadata: peer.logMetadata([:]))
        var left = ids[...]
        let step = { [self] in
            wire.endBlockedStreams(left.prefix(Self.cancelledAtOnce), events: self)
            left = left.dropFirst(Self.cancelledAtOnce)
            outputIsReady()
            settleAccount()
            closeIfDrained()
            return !left.isEmpty
        }
        if step() { connection?.workLater(step) }
    }
}
