import Testing

@testable import SocketTransport

/// Which uids identify a user (user_namespaces(7)).
@Suite struct UserNamespaceTests {
    @Test("where every uid has a number, each says who it is")
    func initial() {
        let whole = UserNamespace(map: "         0          0 4294967295\n", overflowUID: "65534\n")
        #expect(whole.overflowUID == nil)
        #expect(whole.identifies(0) && whole.identifies(65_534) && whole.identifies(4_294_967_294))
        #expect(!whole.identifies(.max), "no uid at all")
    }

    @Test(
        "where some have none, the overflow uid says nothing, although one that has that number may be behind it",
        arguments: ["         0       1000          1\n", "         0     100000      65536\n", "", "0 0 1000\n1000 5000 4294966294\n"])
    func partial(_ map: String) {
        let namespace = UserNamespace(map: map, overflowUID: "65534\n")
        #expect(namespace.overflowUID == 65_534)
        #expect(!namespace.identifies(65_534))
        #expect(namespace.identifies(0) && namespace.identifies(1000))
    }

    @Test("a map in parts that leave none out is whole")
    func parts() {
        #expect(UserNamespace(map: "0 0 1000\n1000 1000 4294966295\n", overflowUID: "65534\n").overflowUID == nil)
    }

    @Test("the overflow uid is the system's to choose, and 65534 without its word; nor is a map taken for whole that cannot be read")
    func unknown() {
        #expect(UserNamespace(map: nil, overflowUID: "65000\n").overflowUID == 65_000)
        #expect(UserNamespace(map: nil, overflowUID: nil).overflowUID == 65_534)
    }
}
