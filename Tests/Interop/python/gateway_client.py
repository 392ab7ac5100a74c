#!/usr/bin/env python3
"""Calls pulseboardd through a gateway that ends TLS: gateway_client.py CERTIFICATE SOCKET GATEWAY CASE… Exits with 0 if every check passed.

SOCKET is the server's own, on which this program is trusted; GATEWAY is the gateway's. The case `watch` needs both of a second server too:
CERTIFICATE SOCKET GATEWAY watch SOCKET2 GATEWAY2. The case `id_token` needs an identity provider: the program and its folder.
"""
import base64
import functools
import json
import subprocess
import sys

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

TIMEOUT = 60  # seconds, so that a server that does not answer fails the case
AUTH, PROFILE, ADMIN = "pulseboard.auth.v1.AuthService", "pulseboard.profile.v1.ProfileService", "pulseboard.admin.v1.AdminService"
ACCOUNT = "pulseboard.account.v1.AccountService"


def expect(actual, expected):
    if actual != expected:
        sys.exit(f"got {actual!r}, not {expected!r}")


def failure(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    sys.exit("the call succeeded")


def reason(error):
    """The code and the `ErrorInfo` of a refusal, which comes in the trailers."""
    for detail in rpc_status.from_call(error).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return error.code(), info.reason
    sys.exit(f"no ErrorInfo in {error!r}")


class Board:
    """One server: its own socket, whose reflection gives the messages, and its gateway."""

    def __init__(self, certificate, local, gateway):
        self.local = grpc.insecure_channel("unix:" + local)
        with open(certificate, "rb") as file:
            credentials = grpc.ssl_channel_credentials(file.read())
        # The name in the certificate. The transport is a Unix socket, so that no port is needed.
        options = [("grpc.ssl_target_name_override", "board.example.org"), ("grpc.default_authority", "board.example.org")]
        self.gateway = grpc.secure_channel("unix:" + gateway, credentials, options=options)

    @functools.cached_property
    def pool(self):
        return descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(self.local))

    def method(self, service, name, channel=None):
        method = self.pool.FindServiceByName(service).FindMethodByName(name)
        kind = ("stream" if method.client_streaming else "unary") + "_" + ("stream" if method.server_streaming else "unary")
        request, response = message_factory.GetMessageClass(method.input_type), message_factory.GetMessageClass(method.output_type)
        call = getattr(channel or self.gateway, kind)(f"/{service}/{name}", request.SerializeToString, response.FromString)
        return call, request

    def call(self, service, name, token=None, language=None, channel=None, **fields):
        call, request = self.method(service, name, channel)
        return call(request(**fields), timeout=TIMEOUT, metadata=metadata(token, language))

    def sign_in(self, account):
        """Signs in a user, as a trusted program on the server's machine does."""
        return self.call(AUTH, "SignIn", channel=self.local, peer={"account": account}).token


def metadata(token, language=None):
    pairs = [("authorization", "Bearer " + token)] if token else []
    return pairs + ([("accept-language", language)] if language else [])


def strangers(board, _):
    denied = grpc.StatusCode.PERMISSION_DENIED
    for account in ("", "kim"):
        error = failure(lambda: board.call(AUTH, "SignIn", peer={"account": account}))
        expect(reason(error), (denied, "IDENTITY_NOT_PROVEN"))
    for name in ("GetServerInfo", "Drain"):
        expect(reason(failure(lambda: board.call(ADMIN, name))), (denied, "NOT_TRUSTED"))
    expect(reason(failure(lambda: board.call(PROFILE, "GetMyProfile"))), (grpc.StatusCode.UNAUTHENTICATED, "NOT_AUTHENTICATED"))
    questions = iter([reflection_pb2.ServerReflectionRequest(list_services="*")])
    answers = reflection_pb2_grpc.ServerReflectionStub(board.gateway).ServerReflectionInfo(questions, timeout=TIMEOUT)
    expect(failure(lambda: next(answers)).code(), grpc.StatusCode.UNIMPLEMENTED)
    health = health_pb2_grpc.HealthStub(board.gateway).Check(health_pb2.HealthCheckRequest(service=AUTH), timeout=TIMEOUT)
    expect(health.status, health_pb2.HealthCheckResponse.SERVING)
    # On its own socket, the server sends no such thing.
    expect(board.call(ADMIN, "GetServerInfo", channel=board.local).draining, False)


def reflection(board, _):
    questions = iter([reflection_pb2.ServerReflectionRequest(list_services="*")])
    answer = next(reflection_pb2_grpc.ServerReflectionStub(board.gateway).ServerReflectionInfo(questions, timeout=TIMEOUT))
    expect(AUTH in [service.name for service in answer.list_services_response.service], True)


def user(board, _):
    token = board.sign_in("kim")
    error = failure(lambda: board.call(PROFILE, "CreateProfile", token, "ko", username="a"))
    expect(reason(error), (grpc.StatusCode.INVALID_ARGUMENT, "USERNAME_TOO_SHORT"))
    texts = [detail for detail in rpc_status.from_call(error).details if detail.Is(error_details_pb2.LocalizedMessage.DESCRIPTOR)]
    text = error_details_pb2.LocalizedMessage()
    texts[0].Unpack(text)
    expect(text.message, "사용자 이름은 2자 이상이어야 합니다.")
    board.call(PROFILE, "CreateProfile", token, username="kim", status_message="커피 ☕")
    for _ in range(200):
        expect(board.call(PROFILE, "GetMyProfile", token).status_message, "커피 ☕")
    call, request = board.method(PROFILE, "CheckUsernames")
    answers = call(iter([request(username="kim"), request(username="lee")]), timeout=TIMEOUT, metadata=metadata(token))
    expect(answers_state(list(answers)[-1]), "STATE_AVAILABLE")
    watch, request = board.method(AUTH, "WatchAuthState")
    expect(failure(lambda: list(watch(request(), timeout=0.2, metadata=metadata(token)))).code(), grpc.StatusCode.DEADLINE_EXCEEDED)
    answers = watch(request(), timeout=TIMEOUT, metadata=metadata(token))
    next(answers)
    answers.cancel()
    # The server notices both ends later.
    while board.call(ADMIN, "GetServerInfo", channel=board.local).running_calls > 0:
        pass
    call, request = board.method(PROFILE, "UpdateProfile")
    changed = request(profile={"status_message": "x" * 100}, update_mask={"paths": ["status_message"]})
    answer = call(changed, timeout=TIMEOUT, metadata=metadata(token), compression=grpc.Compression.Gzip)
    expect(answer.status_message, "x" * 100)
    board.call(AUTH, "SignOut", token)
    expect(reason(failure(lambda: board.call(PROFILE, "GetMyProfile", token))), (grpc.StatusCode.UNAUTHENTICATED, "NOT_AUTHENTICATED"))


def answers_state(answer):
    """The name of the state of a checked username."""
    return answer.DESCRIPTOR.fields_by_name["state"].enum_type.values_by_number[answer.state].name


def id_token(board, _):
    """A phone signs in with its provider through the gateway, where uids have no effect."""
    program, folder = sys.argv[5:7]
    unauthenticated, failed = grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.FAILED_PRECONDITION

    def nonce():
        return board.call(AUTH, "CreateSignInNonce").nonce

    def provide(subject, nonce):
        run = subprocess.run([program, "token", folder, subject, nonce], check=True, stdout=subprocess.PIPE, text=True)
        return {"token": run.stdout.strip(), "nonce": nonce}

    def sign_in(credential, request_id=""):
        return board.call(AUTH, "SignIn", id_token=credential, request_id=request_id)

    def refused(credential, why, code=unauthenticated, request_id=""):
        expect(reason(failure(lambda: sign_in(credential, request_id))), (code, why))

    first = provide("minji", nonce())
    head, payload, signature = first["token"].split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    other = base64.urlsafe_b64encode(json.dumps({**claims, "sub": "root"}).encode()).decode().rstrip("=")
    refused({**first, "token": f"{head}.{other}.{signature}"}, "ID_TOKEN_SIGNATURE")
    refused({**first, "nonce": nonce()}, "ID_TOKEN_NONCE")
    refused({**first, "token": "x" * 16385}, "ID_TOKEN_MALFORMED", grpc.StatusCode.INVALID_ARGUMENT)
    token = sign_in(first, "attempt-1").token
    expect(reason(failure(lambda: board.call(PROFILE, "GetMyProfile", token)))[1] in ("USER_NOT_FOUND", "PROFILE_REQUIRED"), True)
    # The answer was lost, so the same attempt is repeated. The first session has ended, and nobody else can use the
    # token.
    again = sign_in(first, "attempt-1").token
    expect(reason(failure(lambda: board.call(PROFILE, "GetMyProfile", token))), (unauthenticated, "NOT_AUTHENTICATED"))
    refused(first, "ID_TOKEN_REPLAYED")
    refused(first, "ID_TOKEN_REPLAYED", request_id="attempt-2")
    expect([session.account for session in board.call(AUTH, "ListSessions", again).sessions], ["example"])
    board.call(PROFILE, "CreateProfile", again, username="minji")
    # A second identity of the same person.
    board.call(ACCOUNT, "LinkIdentity", again, id_token=provide("work", nonce()), request_id="link-1")
    work = sign_in(provide("work", nonce())).token
    expect(board.call(PROFILE, "GetMyProfile", work).username, "minji")
    identities = board.call(ACCOUNT, "ListIdentities", work).identities
    expect([(each.issuer_name, each.subject) for each in identities], [("example", "minji"), ("example", "work")])
    board.call(ACCOUNT, "UnlinkIdentity", work, issuer=identities[0].issuer, subject="minji")
    expect(reason(failure(lambda: board.call(PROFILE, "GetMyProfile", again))), (unauthenticated, "NOT_AUTHENTICATED"))
    error = failure(lambda: board.call(ACCOUNT, "UnlinkIdentity", work, issuer=identities[0].issuer, subject="work"))
    expect(reason(error), (failed, "IDENTITY_LAST"))


def watch(board, other):
    """A silent watch lasts longer than the gateway's timeout. On the other server, without a heartbeat, it does not."""
    token, state = board.sign_in("silent"), {}

    def open_watch(board, token):
        call, request = board.method(AUTH, "WatchAuthState")
        answers = call(request(), timeout=TIMEOUT, metadata=metadata(token))
        state["needs_profile"] = next(answers).state.state
        return answers

    living, mortal = open_watch(board, token), open_watch(other, other.sign_in("silent"))
    error = failure(lambda: next(mortal))
    expect(error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN), True)
    # The first watch was opened before, and has been silent since.
    board.call(PROFILE, "CreateProfile", token, username="silent")
    changed = next(answer for answer in living if answer.WhichOneof("update") == "state")
    expect(changed.state.state == state["needs_profile"], False)


def narrow(board, _):
    """The gateway permits only some methods."""
    expect(board.call(AUTH, "GetAuthState").user_id, "")
    expect(failure(lambda: board.call(ADMIN, "GetServerInfo")).code(), grpc.StatusCode.UNIMPLEMENTED)


def gone(board, _):
    """No server is behind the gateway."""
    check = health_pb2_grpc.HealthStub(board.gateway).Check
    expect(failure(lambda: check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT)).code(), grpc.StatusCode.UNAVAILABLE)


CASES = {case.__name__: case for case in (strangers, reflection, user, id_token, watch, narrow, gone)}


def main():
    certificate, local, gateway, case, *rest = sys.argv[1:]
    CASES[case](Board(certificate, local, gateway), Board(certificate, *rest) if case == "watch" else None)
    print(case, "ok", flush=True)


main()
