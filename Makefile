# PulseBoard's build tasks. `make` alone lists them.
#
# Every recipe line runs under `set -euo pipefail`, so a failing step fails the target.
# `SKIP_SETUP=1` installs no packages, for machines that are set up in another way.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
SKIP_SETUP ?=
export SKIP_SETUP

# Arguments for the program of a target: make run ARGUMENTS='--log-level debug', make bench ARGUMENTS='--quick'
ARGUMENTS ?=

# `swift test` arguments: make test FILTER='--filter TTRPCWireTests'
FILTER ?=

# The time for each target of `make fuzz`, and the targets: make fuzz SECONDS=600 TARGETS='grpc-server json'
SECONDS ?= 20
TARGETS ?=

.PHONY: help run test build documentation generate checkgenerate lint breaking interop simulation hostile failover restore fuzz sanitize bench install deb day clean

help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: ## install what is missing, build for release, start the server on its embedded store
	@Scripts/setup run
	@Scripts/run $(ARGUMENTS)

test: ## lints, generated code, build, all tests with the Go, Python and C++ peers (FILTER=… narrows the tests), the examples
	@Scripts/setup test
	@Scripts/lint-test
	@Scripts/lint
	@Scripts/lint-sql
	@Scripts/buf lint
	@Scripts/breaking
	@Scripts/build
	@Scripts/generate --check
	@Scripts/interop-build
	@Scripts/interop-python
	@Scripts/interop-cpp
	@Scripts/test $(FILTER)
	@Scripts/documentation
	@Scripts/examples

build: ## build everything, tests included, for debugging
	@Scripts/setup run
	@Scripts/build

documentation: ## make the documentation of the runtime's modules, for a browser (docc preview)
	@Scripts/setup document
	@Scripts/build
	@Scripts/documentation

generate: ## rewrite the generated C and Swift from Proto/
	@Scripts/setup generate
	@Scripts/generate

checkgenerate: ## fail when the generated sources are not what Proto/ and the plugin make today
	@Scripts/setup generate
	@Scripts/generate --check

lint: ## check the house style and Proto/
	@Scripts/setup lint
	@Scripts/lint-test
	@Scripts/lint
	@Scripts/lint-sql
	@Scripts/buf lint

breaking: ## fail when Proto/ breaks clients of version 1 of the API
	@Scripts/setup lint
	@Scripts/breaking

interop: ## build and install the peers of the interop tests: ttrpc in Go, gRPC in Python and C++
	@Scripts/setup test
	@Scripts/interop-build
	@Scripts/interop-python
	@Scripts/interop-cpp

hostile: ## attack a release build from other uids and measure what its other clients notice; docs/reliability.md (ARGUMENTS='--short', …)
	@Scripts/setup hostile
	@Tests/Hostile/run $(ARGUMENTS)

failover: ## fail the nodes of a PostgreSQL cluster under two servers and a load, forty minutes; docs/scaling.md (ARGUMENTS='--rounds 1', …)
	@Scripts/setup failover
	@Scripts/build
	@Tests/Failover/run $(ARGUMENTS)

restore: ## back a PostgreSQL up with pgBackRest, destroy it, and restore it to an instant, under a server; docs/scaling.md
	@Scripts/setup failover
	@Scripts/build
	@Tests/Failover/backup

fuzz: ## feed all that reads bytes with libFuzzer, under AddressSanitizer (SECONDS=… for each target, TARGETS='json …')
	@Scripts/setup run
	@SECONDS_EACH='$(SECONDS)' Scripts/fuzz $(TARGETS)

simulation: ## play a million steps of simulated diaries, the long form of what `make test` plays; docs/diary.md (ARGUMENTS='FIRST-LAST:STEPS')
	@Scripts/setup run
	@Scripts/build
	@Scripts/simulation $(ARGUMENTS)

sanitize: ## all tests under ThreadSanitizer, with exclusive access checked: three quarters of an hour (ARGUMENTS='--filter …')
	@Scripts/setup test
	@Scripts/sanitize $(ARGUMENTS)

bench: ## measure against the machine's limit and against peers; docs/performance.md (ARGUMENTS='--quick', …)
	@Scripts/setup bench
	@Benchmarks/run $(ARGUMENTS)

install: ## install server, CLI, completions, manual pages, units and a configuration under PREFIX (default /usr/local)
	@Scripts/setup install
	@Scripts/install '$(DESTDIR)' '$(PREFIX)'

deb: ## build the Debian packages pulseboard-server, pulseboard and pulseboard-dev in .build/deb
	@Scripts/setup deb
	@Scripts/deb

day: ## build the packages and spend a day of operation with them in a bare Debian; docs/operating.md (ARGUMENTS='--short', '--users FILE --follows FILE')
	@Scripts/setup deb
	@Scripts/deb
	@Scripts/day $(ARGUMENTS)

clean: ## remove what was built, tools included
	rm -rf .build .build-examples .build-fuzz .build-tsan .build-tools Benchmarks/.build
