#!/usr/bin/env python3
"""Calls every method of the kubelet's device-plugin API with grpcio: device_plugin_client.py SOCKET. Prints a line for each call."""
import sys
import types

import grpc
from interop_messages import load

TIMEOUT = 30  # seconds, so that a server that does not answer fails the case
api = types.SimpleNamespace(**load("kubelet/deviceplugin.proto", "v1beta1"))


def call(channel, service, method, request, response, kind="unary_unary"):
    stub = getattr(channel, kind)(f"/v1beta1.{service}/{method}", type(request).SerializeToString, response.FromString)
    return stub(request, timeout=TIMEOUT)


def expect(method, actual, expected):
    if actual != expected:
        sys.exit(f"{method}: got {actual!r}, not {expected!r}")
    print(f"{method}: ok")


def main(path):
    with grpc.insecure_channel(f"unix:{path}") as channel:
        options = api.DevicePluginOptions(pre_start_required=True)
        request = api.RegisterRequest(version="v1beta1", endpoint="gpu.sock", resource_name="example.com/gpu", options=options)
        expect("Register", call(channel, "Registration", "Register", request, api.Empty), api.Empty())
        expect(
            "GetDevicePluginOptions",
            call(channel, "DevicePlugin", "GetDevicePluginOptions", api.Empty(), api.DevicePluginOptions),
            api.DevicePluginOptions(pre_start_required=True, get_preferred_allocation_available=True))
        topology = api.TopologyInfo(nodes=[api.NUMANode(ID=1)])
        lists = [
            api.ListAndWatchResponse(
                devices=[api.Device(ID="gpu-0", health=health, topology=topology), api.Device(ID="gpu-1", health="Healthy")])
            for health in ("Healthy", "Unhealthy")
        ]
        watch = call(channel, "DevicePlugin", "ListAndWatch", api.Empty(), api.ListAndWatchResponse, "unary_stream")
        expect("ListAndWatch", list(watch), lists)
        wish = api.ContainerPreferredAllocationRequest(available_deviceIDs=["a", "b"], must_include_deviceIDs=["c"], allocation_size=2)
        expect(
            "GetPreferredAllocation",
            call(
                channel, "DevicePlugin", "GetPreferredAllocation", api.PreferredAllocationRequest(container_requests=[wish]),
                api.PreferredAllocationResponse),
            api.PreferredAllocationResponse(container_responses=[api.ContainerPreferredAllocationResponse(deviceIDs=["c", "a"])]))
        container = api.ContainerAllocateRequest(devices_ids=["gpu-0", "gpu-1"])
        expect(
            "Allocate",
            call(channel, "DevicePlugin", "Allocate", api.AllocateRequest(container_requests=[container]), api.AllocateResponse),
            api.AllocateResponse(container_responses=[
                api.ContainerAllocateResponse(
                    envs={"DEVICES": "gpu-0,gpu-1"}, mounts=[api.Mount(container_path="/lib", host_path="/usr/lib", read_only=True)],
                    devices=[
                        api.DeviceSpec(container_path=f"/dev/{name}", host_path=f"/dev/{name}", permissions="rw")
                        for name in ("gpu-0", "gpu-1")
                    ], annotations={"a": "b"}, cdi_devices=[api.CDIDevice(name="example.com/gpu=0")])
            ]))
        expect(
            "PreStartContainer",
            call(
                channel, "DevicePlugin", "PreStartContainer", api.PreStartContainerRequest(devices_ids=["gpu-0"]),
                api.PreStartContainerResponse), api.PreStartContainerResponse())


main(sys.argv[1])
