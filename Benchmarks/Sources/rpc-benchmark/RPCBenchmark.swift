import ArgumentParser

@main
struct RPCBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rpc-benchmark",
        abstract: "Measure calls over a Unix socket: our server, our client, generated messages, ordinary handlers.",
        discussion: """
            Without a subcommand it starts an echo server as a process of its own and prints calls/s and latency for every mix of \
            connections, calls in flight, message size and kind of handler: medians of several runs.
            """,
        subcommands: [Measure.self, Serve.self, Streams.self], defaultSubcommand: Measure.self)
}
