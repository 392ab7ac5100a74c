import GreeterMessages
import RPCClient
import RPCCore

@main
struct GreeterCommand {
    /// Makes a call of every shape: `greeter [SOCKET]`.
    static func main() async throws {
        let channel = try Channel(socketPath: CommandLine.arguments.dropFirst().first ?? "/tmp/greeter.sock")
        let greeter = GreeterClient(channel: channel)
        let options = CallOptions(timeout: .seconds(5), metadata: ["caller": "greeter"])

        // One request, one response, within five seconds.
        let reply = try await greeter.sayHello(HelloRequest(name: "world"), options: options)
        print(reply.text)

        // Many responses. Leaving the loop cancels the call, on the server too.
        for try await count in greeter.countDown(CountDownRequest(from: 1_000_000_000), options: options) {
            print("\(count.number)…")
            if count.number < 999_999_999 { break }
        }

        // Many requests.
        let everybody = greeter.sayHelloToAll(options: options)
        for name in ["Minji", "Jun"] { try await everybody.write(HelloRequest(name: name)) }
        print(try await everybody.finish().text)

        // Both, each side at its own pace.
        let chat = greeter.chat(options: options)
        for line in ["Nice weather.", "Goodbye."] { try await chat.write(ChatLine(text: line)) }
        chat.finishWriting()
        for try await line in chat.responses { print(line.text) }

        do {
            print(try await greeter.sayHello(HelloRequest(), options: options).text)
        } catch {
            // An RPCError: the code is for the program, the message for whoever writes it.
            guard error.code == .invalidArgument else { throw error }
            print("Refused: \(error)")
        }
        await channel.close()
    }
}
