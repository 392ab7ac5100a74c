"""Sign-ins: with an ID token, and to named accounts, as by a gateway. Each opens a session of a new account, and is durable before it is answered.
Keys, nonces and tokens are made before the measurement; openssl signs."""
import base64
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from . import loads, product
from .protobuf import field
from .ttrpc import Client, body

ISSUER, AUDIENCE = "https://id.example", "benchmark"
MEASURES = {"sign-in-peer": None, "sign-in-rs256": "RS256", "sign-in-es256": "ES256"}

# The number of sign-ins in one round. A token can sign in only once.
SIGN_INS, QUICK_SIGN_INS = 3_000, 200


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*words, data=b""):
    return subprocess.run(["openssl", *words], input=data, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


class Provider:
    """An identity provider with one key of an algorithm."""

    def __init__(self, algorithm, work):
        self.algorithm, self.key = algorithm, os.path.join(work, f"{algorithm}.pem")
        if algorithm == "RS256":
            openssl("genrsa", "-out", self.key, "2048")
            modulus = openssl("rsa", "-in", self.key, "-noout", "-modulus").decode().strip().partition("=")[2]
            numbers = {"kty": "RSA", "n": base64url(bytes.fromhex(modulus)), "e": "AQAB"}
        else:
            openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key)
            # The last 64 bytes of the public key are the two coordinates.
            point = openssl("ec", "-in", self.key, "-pubout", "-outform", "DER")[-64:]
            numbers = {"kty": "EC", "crv": "P-256", "x": base64url(point[:32]), "y": base64url(point[32:])}
        self.jwk = numbers | {"kid": algorithm, "use": "sig", "alg": algorithm}

    def token(self, subject, nonce, now):
        claims = {"iss": ISSUER, "sub": subject, "aud": AUDIENCE, "iat": now, "exp": now + 3600, "nonce": nonce}
        parts = ({"alg": self.algorithm, "kid": self.algorithm}, claims)
        message = ".".join(base64url(json.dumps(part).encode()) for part in parts)
        signature = openssl("dgst", "-sha256", "-sign", self.key, data=message.encode())
        return f"{message}.{base64url(signature if self.algorithm == 'RS256' else raw(signature))}"


def raw(der):
    """The two numbers of an ECDSA signature, 32 bytes each, from the DER that openssl writes."""
    first = der[4:4 + der[3]]
    second = der[6 + der[3]:]
    return first.lstrip(b"\0").rjust(32, b"\0") + second.lstrip(b"\0").rjust(32, b"\0")


def configuration(providers, work):
    """The path of the file for `--oidc-config`."""
    with open(os.path.join(work, "keys.json"), "w", encoding="ascii") as file:
        json.dump({"keys": [provider.jwk for provider in providers]}, file)
    path = os.path.join(work, "oidc.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump({"caller_sign_ins_per_second": 100_000, "issuers": [{
            "name": "benchmark", "issuer": ISSUER, "audiences": [AUDIENCE], "algorithms": ["RS256", "ES256"], "jwks_file": "keys.json",
            "sign_ins_per_second": 100_000}]}, file)
    return path


def requests(provider, socket_path, prefix, count):
    """The requests of one round. Nonces last ten minutes, so they are made for each."""
    if provider is None:
        return [field(1, field(1, f"{prefix}-{number}")) for number in range(count)]
    with Client(socket_path) as client:
        nonces = [client.call(product.AUTH, "CreateSignInNonce")[1].decode() for _ in range(count)]
    now = int(time.time())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tokens = pool.map(lambda number: provider.token(f"{prefix}-{number}", nonces[number], now), range(count))
        return [field(2, field(1, token) + field(2, nonce)) for token, nonce in zip(tokens, nonces)]


def measure(runs, count, socket_path, work, wanted, record):
    """Measures one connection with 64 sign-ins in flight, each kind in turn in each round."""
    names = [name for name in MEASURES if wanted(f"product/{name}")]
    if not names:
        return
    providers = {name: Provider(algorithm, work) if algorithm else None for name, algorithm in MEASURES.items()}
    options = ["--oidc-config", configuration(filter(None, providers.values()), work)]
    path = os.path.join(work, "requests")
    with product.Daemon(socket_path, work, options=options) as running:
        for turn in range(runs):
            for name in names:
                messages = requests(providers[name], socket_path, f"{name}-{turn}", count)
                product.write_requests(path, (body(product.AUTH, "SignIn", message) for message in messages))
                product.keep(record, name, turn, lambda: loads.generator(
                    running, ["--connections", 1, "--in-flight", 64, "--requests", path]))
