import Glibc
import GreeterMessages
import RPCClient
import RPCCore

@main
struct GreeterCommand {
    /// Makes a call of every shape: `greeter [SOCKET]`.
    static func main() async {
        do {
            try await withChannel(socketPath: CommandLine.arguments.dropFirst().first ?? "/tmp/greeter.sock") { channel in
                try await call(GreeterClient(channel: channel))
            }
        } catch {
            print("greeter: \(error)")
            exit(1)
        }
    }

    private static func call(_ greeter: GreeterClient) async throws(RPCError) {
        let options = CallOptions(timeout: .seconds(5), metadata: ["caller": "greeter"])

        // One request, one response, within five seconds.
        print(try await greeter.sayHello(HelloRequest(name: "world"), options: options).text)

        // Many responses. Leaving the loop drops the stream, which cancels the call, on the server too.
        for try await count in greeter.countDown(CountDownRequest(from: 1_000_000_000), options: options) {
            print("\(count.number)…")
            if count.number < 999_999_999 { break }
        }

        // Many requests.
        let everybody = greeter.sayHelloToAll(options: options)
        for name in ["Minji", "Jun"] { try await everybody.write(HelloRequest(name: name)) }
        print(try await everybody.finish().text)

        // Many requests and many responses, each side at its own pace.
        let chat = greeter.chat(options: options)
        for line in ["Nice weather.", "Goodbye."] { try await chat.write(ChatLine(text: line)) }
        chat.finishWriting()
        for try await line in chat.responses { print(line.text) }

        // A failure is an RPCError. Its code is for the program, and its message for developers.
        do throws(RPCError) {
            print(try await greeter.sayHello(HelloRequest(), options: options).text)
        } catch where error.code == .invalidArgument && error.origin == .peer {
            print("Refused: \(error)")
        }
    }
}
