// A ttrpc server of containerd's own library, with its generated messages and service.
//
//	ttrpc-go-server SOCKET
package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"bench/messages"
	"github.com/containerd/ttrpc"
)

type echo struct{}

func (echo) Echo(_ context.Context, request *messages.Payload) (*messages.Payload, error) {
	return &messages.Payload{Data: request.Data}, nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "ttrpc-go-server SOCKET")
		os.Exit(64)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "ttrpc-go-server:", err)
		os.Exit(1)
	}
}

func serve(path string) error {
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	server, err := ttrpc.NewServer()
	if err != nil {
		return err
	}
	messages.RegisterBenchService(server, echo{})
	return server.Serve(context.Background(), listener)
}
