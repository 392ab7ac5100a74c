package main

import (
	"fmt"

	"github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/types"
)

// containerd's Task service, called as containerd calls a shim. The messages are written by hand from the published numbers, like those
// of messages.go.

type createTaskRequest struct {
	ID       string       `protobuf:"bytes,1,opt,name=id,proto3"`
	Bundle   string       `protobuf:"bytes,2,opt,name=bundle,proto3"`
	Rootfs   []*taskMount `protobuf:"bytes,3,rep,name=rootfs,proto3"`
	Terminal bool         `protobuf:"varint,4,opt,name=terminal,proto3"`
	Options  *types.Any   `protobuf:"bytes,10,opt,name=options,proto3"`
}

func (m *createTaskRequest) Reset()         { *m = createTaskRequest{} }
func (m *createTaskRequest) String() string { return proto.CompactTextString(m) }
func (*createTaskRequest) ProtoMessage()    {}

type taskMount struct {
	Type    string   `protobuf:"bytes,1,opt,name=type,proto3"`
	Source  string   `protobuf:"bytes,2,opt,name=source,proto3"`
	Target  string   `protobuf:"bytes,3,opt,name=target,proto3"`
	Options []string `protobuf:"bytes,4,rep,name=options,proto3"`
}

func (m *taskMount) Reset()         { *m = taskMount{} }
func (m *taskMount) String() string { return proto.CompactTextString(m) }
func (*taskMount) ProtoMessage()    {}

type taskRequest struct {
	ID     string `protobuf:"bytes,1,opt,name=id,proto3"`
	ExecID string `protobuf:"bytes,2,opt,name=exec_id,proto3"`
}

func (m *taskRequest) Reset()         { *m = taskRequest{} }
func (m *taskRequest) String() string { return proto.CompactTextString(m) }
func (*taskRequest) ProtoMessage()    {}

type taskPid struct {
	Pid uint32 `protobuf:"varint,1,opt,name=pid,proto3"`
}

func (m *taskPid) Reset()         { *m = taskPid{} }
func (m *taskPid) String() string { return proto.CompactTextString(m) }
func (*taskPid) ProtoMessage()    {}

type deleteResponse struct {
	Pid        uint32           `protobuf:"varint,1,opt,name=pid,proto3"`
	ExitStatus uint32           `protobuf:"varint,2,opt,name=exit_status,proto3"`
	ExitedAt   *types.Timestamp `protobuf:"bytes,3,opt,name=exited_at,proto3"`
}

func (m *deleteResponse) Reset()         { *m = deleteResponse{} }
func (m *deleteResponse) String() string { return proto.CompactTextString(m) }
func (*deleteResponse) ProtoMessage()    {}

type execRequest struct {
	ID       string     `protobuf:"bytes,1,opt,name=id,proto3"`
	ExecID   string     `protobuf:"bytes,2,opt,name=exec_id,proto3"`
	Terminal bool       `protobuf:"varint,3,opt,name=terminal,proto3"`
	Spec     *types.Any `protobuf:"bytes,7,opt,name=spec,proto3"`
}

func (m *execRequest) Reset()         { *m = execRequest{} }
func (m *execRequest) String() string { return proto.CompactTextString(m) }
func (*execRequest) ProtoMessage()    {}

type resizeRequest struct {
	ID     string `protobuf:"bytes,1,opt,name=id,proto3"`
	ExecID string `protobuf:"bytes,2,opt,name=exec_id,proto3"`
	Width  uint32 `protobuf:"varint,3,opt,name=width,proto3"`
	Height uint32 `protobuf:"varint,4,opt,name=height,proto3"`
}

func (m *resizeRequest) Reset()         { *m = resizeRequest{} }
func (m *resizeRequest) String() string { return proto.CompactTextString(m) }
func (*resizeRequest) ProtoMessage()    {}

type stateResponse struct {
	ID         string           `protobuf:"bytes,1,opt,name=id,proto3"`
	Bundle     string           `protobuf:"bytes,2,opt,name=bundle,proto3"`
	Pid        uint32           `protobuf:"varint,3,opt,name=pid,proto3"`
	Status     int32            `protobuf:"varint,4,opt,name=status,proto3"`
	Stdin      string           `protobuf:"bytes,5,opt,name=stdin,proto3"`
	Stdout     string           `protobuf:"bytes,6,opt,name=stdout,proto3"`
	Stderr     string           `protobuf:"bytes,7,opt,name=stderr,proto3"`
	Terminal   bool             `protobuf:"varint,8,opt,name=terminal,proto3"`
	ExitStatus uint32           `protobuf:"varint,9,opt,name=exit_status,proto3"`
	ExitedAt   *types.Timestamp `protobuf:"bytes,10,opt,name=exited_at,proto3"`
	ExecID     string           `protobuf:"bytes,11,opt,name=exec_id,proto3"`
}

func (m *stateResponse) Reset()         { *m = stateResponse{} }
func (m *stateResponse) String() string { return proto.CompactTextString(m) }
func (*stateResponse) ProtoMessage()    {}

type killRequest struct {
	ID     string `protobuf:"bytes,1,opt,name=id,proto3"`
	ExecID string `protobuf:"bytes,2,opt,name=exec_id,proto3"`
	Signal uint32 `protobuf:"varint,3,opt,name=signal,proto3"`
	All    bool   `protobuf:"varint,4,opt,name=all,proto3"`
}

func (m *killRequest) Reset()         { *m = killRequest{} }
func (m *killRequest) String() string { return proto.CompactTextString(m) }
func (*killRequest) ProtoMessage()    {}

type closeIORequest struct {
	ID     string `protobuf:"bytes,1,opt,name=id,proto3"`
	ExecID string `protobuf:"bytes,2,opt,name=exec_id,proto3"`
	Stdin  bool   `protobuf:"varint,3,opt,name=stdin,proto3"`
}

func (m *closeIORequest) Reset()         { *m = closeIORequest{} }
func (m *closeIORequest) String() string { return proto.CompactTextString(m) }
func (*closeIORequest) ProtoMessage()    {}

type processInfo struct {
	Pid  uint32     `protobuf:"varint,1,opt,name=pid,proto3"`
	Info *types.Any `protobuf:"bytes,2,opt,name=info,proto3"`
}

func (m *processInfo) Reset()         { *m = processInfo{} }
func (m *processInfo) String() string { return proto.CompactTextString(m) }
func (*processInfo) ProtoMessage()    {}

type pidsResponse struct {
	Processes []*processInfo `protobuf:"bytes,1,rep,name=processes,proto3"`
}

func (m *pidsResponse) Reset()         { *m = pidsResponse{} }
func (m *pidsResponse) String() string { return proto.CompactTextString(m) }
func (*pidsResponse) ProtoMessage()    {}

type checkpointRequest struct {
	ID   string `protobuf:"bytes,1,opt,name=id,proto3"`
	Path string `protobuf:"bytes,2,opt,name=path,proto3"`
}

func (m *checkpointRequest) Reset()         { *m = checkpointRequest{} }
func (m *checkpointRequest) String() string { return proto.CompactTextString(m) }
func (*checkpointRequest) ProtoMessage()    {}

type updateRequest struct {
	ID          string            `protobuf:"bytes,1,opt,name=id,proto3"`
	Annotations map[string]string `protobuf:"bytes,3,rep,name=annotations,proto3" protobuf_key:"bytes,1,opt,name=key,proto3" protobuf_val:"bytes,2,opt,name=value,proto3"`
}

func (m *updateRequest) Reset()         { *m = updateRequest{} }
func (m *updateRequest) String() string { return proto.CompactTextString(m) }
func (*updateRequest) ProtoMessage()    {}

type waitResponse struct {
	ExitStatus uint32           `protobuf:"varint,1,opt,name=exit_status,proto3"`
	ExitedAt   *types.Timestamp `protobuf:"bytes,2,opt,name=exited_at,proto3"`
}

func (m *waitResponse) Reset()         { *m = waitResponse{} }
func (m *waitResponse) String() string { return proto.CompactTextString(m) }
func (*waitResponse) ProtoMessage()    {}

type statsResponse struct {
	Stats *types.Any `protobuf:"bytes,1,opt,name=stats,proto3"`
}

func (m *statsResponse) Reset()         { *m = statsResponse{} }
func (m *statsResponse) String() string { return proto.CompactTextString(m) }
func (*statsResponse) ProtoMessage()    {}

type connectResponse struct {
	ShimPid uint32 `protobuf:"varint,1,opt,name=shim_pid,proto3"`
	TaskPid uint32 `protobuf:"varint,2,opt,name=task_pid,proto3"`
	Version string `protobuf:"bytes,3,opt,name=version,proto3"`
}

func (m *connectResponse) Reset()         { *m = connectResponse{} }
func (m *connectResponse) String() string { return proto.CompactTextString(m) }
func (*connectResponse) ProtoMessage()    {}

type shutdownRequest struct {
	ID  string `protobuf:"bytes,1,opt,name=id,proto3"`
	Now bool   `protobuf:"varint,2,opt,name=now,proto3"`
}

func (m *shutdownRequest) Reset()         { *m = shutdownRequest{} }
func (m *shutdownRequest) String() string { return proto.CompactTextString(m) }
func (*shutdownRequest) ProtoMessage()    {}

// tasks calls every method of the service once and prints a line for each answer.
func tasks(p *peer) {
	options := &types.Any{TypeUrl: "types/options", Value: []byte{9}}
	mounts := []*taskMount{{Type: "overlay", Source: "none", Target: "/", Options: []string{"ro", "lowerdir=/a"}}, {Type: "proc"}}
	task := &taskRequest{ID: "t1", ExecID: "e1"}
	calls := []struct {
		method          string
		request, answer proto.Message
	}{
		{"Create", &createTaskRequest{ID: "t1", Bundle: "/b", Rootfs: mounts, Terminal: true, Options: options}, &taskPid{}},
		{"Start", task, &taskPid{}},
		{"State", task, &stateResponse{}},
		{"Exec", &execRequest{ID: "t1", ExecID: "e1", Terminal: true, Spec: options}, &empty{}},
		{"ResizePty", &resizeRequest{ID: "t1", Width: 80, Height: 25}, &empty{}},
		{"CloseIO", &closeIORequest{ID: "t1", Stdin: true}, &empty{}},
		{"Pids", task, &pidsResponse{}},
		{"Pause", task, &empty{}},
		{"Resume", task, &empty{}},
		{"Checkpoint", &checkpointRequest{ID: "t1", Path: "/c"}, &empty{}},
		{"Update", &updateRequest{ID: "t1", Annotations: map[string]string{"a": "1", "b": "2"}}, &empty{}},
		{"Stats", task, &statsResponse{}},
		{"Kill", &killRequest{ID: "t1", Signal: 9, All: true}, &empty{}},
		{"Wait", task, &waitResponse{}},
		{"Delete", task, &deleteResponse{}},
		{"Shutdown", &shutdownRequest{ID: "t1", Now: true}, &empty{}},
		{"Connect", task, &connectResponse{}},
	}
	for _, call := range calls {
		if err := p.call("containerd.task.v2.Task", call.method, call.request, call.answer); err != nil {
			fail("%s: %v", call.method, err)
		}
		fmt.Printf("%s: %s\n", call.method, proto.CompactTextString(call.answer))
	}
	err := p.call("containerd.task.v2.Task", "State", &taskRequest{}, &stateResponse{})
	fmt.Printf("State without a task: %v\n", err)
}
