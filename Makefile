# Every target does its own set-up. `make help` lists them.

SWIFT ?= swift
BUILD ?= .build
CONFIGURATION ?= debug
# What each build is given besides; see `check`.
BUILD_FLAGS ?=
SWIFT_BUILD = $(SWIFT) build -c $(CONFIGURATION) $(BUILD_FLAGS)
BIN = $$($(SWIFT) build -c $(CONFIGURATION) --show-bin-path)
SOURCES = Package.swift Sources Tests
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: help setup build build-tests man install dev demo demo-soak test test-tools clients client-tools client-types \
  pack conformance examples import soak docs lint \
  check check-beside oracle format release bench allocations instructions profile shared-answers model shuffles stores rot \
  rot-smoke crowd crowd-smoke crowd-tools grow time clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: ## install liblmdb-dev and libssl-dev where they are missing
	@dpkg -s liblmdb-dev libssl-dev pkg-config >/dev/null 2>&1 || { \
	  $(SUDO) apt-get update -q && \
	  $(SUDO) apt-get install -qy --no-install-recommends liblmdb-dev libssl-dev pkg-config; }

build: setup ## the programs, for trying
	$(SWIFT_BUILD)

release: ## the programs, for use
	@$(MAKE) build CONFIGURATION=release

MAN = $(BUILD)/man
MADE_PAGES = $(BUILD)/plugins/GenerateManual/outputs

# The plugin of ArgumentParser names a command's page with a dot; `man entitlctl status` looks for a
# hyphen.
man: setup ## the programs' manual pages, in .build/man
	$(SWIFT) package plugin generate-manual --multi-page
	@rm -rf $(MAN) && mkdir -p $(MAN)
	@for page in $(MADE_PAGES)/entitld/*.1 $(MADE_PAGES)/entitlctl/*.1; do \
	  name=$$(basename "$$page" .1 | tr . -); \
	  sed -E '/^\.(Xr|Dt) /s/([A-Za-z])\.([A-Za-z])/\1-\2/g' "$$page" > "$(MAN)/$$name.1"; \
	done

PREFIX ?= /usr

# It makes nothing: root may have no Swift.
install: ## as root, after `make release man`: the programs, their pages, the unit and the account's entry
	@test -x $(BUILD)/release/entitld -a -d $(MAN) || { echo "first: make release man"; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)/usr/lib/sysusers.d $(DESTDIR)/etc/systemd/system
	install $(BUILD)/release/entitld $(BUILD)/release/entitlctl $(DESTDIR)$(PREFIX)/bin
	install -m 0644 $(MAN)/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 0644 contrib/sysusers.d/entitld.conf $(DESTDIR)/usr/lib/sysusers.d
	install -m 0644 contrib/systemd/entitld.service $(DESTDIR)/etc/systemd/system

dev: build ## a daemon, an App Store and a few customers to play with, until Ctrl-C
	@BIN=$(BIN) bash contrib/demo/dev.sh

demo: build ## signed notifications change what canRender answers
	BIN=$(BIN) bash contrib/demo/demo.sh

demo-soak: build ## start the demo 50 times in a row on a busy machine
	BIN=$(BIN) bash contrib/demo/soak.sh

# A process for each room's tests: those that block threads would starve those that must be quick.
# Three at a time, the longest first; the daemon's, which wait most of their time, in two halves.
ROOMS = $(sort $(shell sed -n 's/.*"\([A-Za-z]*Tests\)".*/\1/p' Package.swift))
LONG = DaemonTests-1 DaemonTests-2 LedgerTests EntitlementsTests MethodsTests
TESTED = $(addprefix test-,$(LONG) $(filter-out DaemonTests $(LONG),$(ROOMS)))
XCTEST = $(BIN)/entitldPackageTests.xctest
SUITES = --testing-library swift-testing --filter

test: build-tests clients test-tools ## every test
	@$(MAKE) --no-print-directory -j 3 --output-sync=target $(TESTED)

test-DaemonTests-1: PICKED = DaemonTests\.[A-K]
test-DaemonTests-2: PICKED = DaemonTests\.[^A-K]
# Daemons that are to crash would inherit it.
test-DaemonTests-1 test-DaemonTests-2: BACKTRACE =
.PHONY: $(TESTED)
$(TESTED): PICKED ?= $*\.
# A process that traps says where.
$(TESTED): BACKTRACE ?= SWIFT_BACKTRACE=enable=yes,color=no,interactive=no,images=none
# A test that cannot do its work here says SKIPPED and passes: that is shown, and fails the room where
# ENTITLD_NO_SKIPS=1.
$(TESTED): test-%:
	@log=$(BUILD)/$*.log; begin=$$(date +%s); \
	$(BACKTRACE) $(XCTEST) $(SUITES) "^$(PICKED)" > $$log 2>&1; status=$$?; \
	echo "== $*, $$(($$(date +%s) - begin)) s ($$log)"; \
	grep -A 3 -E '^✘|recorded an issue|Fatal error' $$log; \
	grep -A 60 -E '^\*\*\* (Program crashed|Signal)' $$log; \
	if grep -o 'SKIPPED: .*' $$log && [ "$$ENTITLD_NO_SKIPS" = 1 ] && [ $$status = 0 ]; then \
	  echo "ENTITLD_NO_SKIPS=1: a test that is skipped has failed"; status=1; \
	fi; \
	tail -n 1 $$log; \
	exit $$status

# One test watches the daemon's system calls. After the others, because two apt-get at once fail.
test-tools: client-tools
	@command -v strace >/dev/null || { \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -qy --no-install-recommends strace; }

clients: build client-types pack ## the tests of the Node, Python, Go and C clients, beside the daemon too, and of the converters
	export ENTITLD_BIN=$(BIN); \
	(cd contrib/import && python3 -m unittest) && \
	(cd contrib/clients/node && node --test) && \
	(cd contrib/clients/python && python3 -m unittest) && \
	(cd contrib/clients/go && go vet ./... && go test -count=1 ./...) && \
	cc -std=c11 -Wall -Wextra -Werror -O2 -o $(BUILD)/marks contrib/clients/c/test.c && $(BUILD)/marks

client-tools:
	@command -v node >/dev/null && command -v python3 >/dev/null && command -v go >/dev/null && \
	  command -v tsc >/dev/null && command -v openssl >/dev/null && \
	  python3 -c 'import ensurepip' 2>/dev/null || { \
	  $(SUDO) apt-get update -q && \
	  $(SUDO) apt-get install -qy --no-install-recommends nodejs node-typescript python3 python3-venv golang \
	    openssl; }

client-types: client-tools ## the clients' types are those of proto/openrpc.json, and strict
	python3 contrib/clients/generate.py --check
	tsc --project contrib/clients/node/types-test
	test -x .venv-clients/bin/mypy || { \
	  python3 -m venv --clear .venv-clients && .venv-clients/bin/pip install -q mypy; }
	cd contrib/clients/python && ../../../.venv-clients/bin/mypy --no-error-summary entitld && \
	  ../../../.venv-clients/bin/mypy --no-error-summary --strict --follow-imports=silent types_test.py

pack: client-types ## the packages of the Node, Python and Go clients, each used from an empty folder
	bash contrib/clients/pack.sh

CLIENT ?= python asyncio node go swift

conformance: build client-tools ## every client over both transports: the cases of proto/vectors/conformance, and a storm of cut connections
	python3 Tests/Conformance/run.py --bin $(BIN) --client $(CLIENT)
	python3 Tests/Conformance/storm.py --bin $(BIN) --client $(CLIENT)

examples: build client-tools ## the commands of each example's page
	BIN=$(BIN) bash contrib/examples/check.sh

build-tests: setup
	$(SWIFT_BUILD) --build-tests

SOAK ?= 10

soak: ## every test with other seeds, SOAK times: finds what the one seed of `make test` does not
	@for round in $$(seq $(SOAK)); do \
	  seed=$$(shuf -i 1-999999999 -n 1); \
	  echo "== ENTITLD_SEED=$$seed"; \
	  ENTITLD_SEED=$$seed $(MAKE) test || exit 1; \
	done

docs: build-tests ## write the table of keys in docs/configuration.md
	ENTITLD_WRITE_DOCS=1 $(XCTEST) $(SUITES) '^DaemonConfigurationTests\.PageTests'

lint: ## formatting and the floor plan's style rules
	$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format $(SOURCES)

format: ## rewrite the sources as .swift-format says
	$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format $(SOURCES)

oracle: build-tests ## our verdicts beside those of Apple's, Google's and Stripe's libraries, and the simulated stores beside their clients (PyPI)
	BIN=$(BIN) bash Tests/Oracle/run.sh

ACCOUNTS ?= 1000000
RELEASE_BIN = $$($(SWIFT) build -c release --show-bin-path)

bench: release ## the daemon beside Redis, PostgreSQL and others, installed and stopped by it
	BIN=$(RELEASE_BIN) ACCOUNTS=$(ACCOUNTS) bash contrib/bench/bench.sh

allocations: release ## canRender allocates nothing and waits for no lock: counted
	BIN=$(RELEASE_BIN) bash contrib/bench/allocations.sh

instructions: release ## canRender takes no more instructions than before: counted by callgrind
	BIN=$(RELEASE_BIN) bash contrib/bench/instructions.sh

profile: release ## where the time of canRender goes, by perf
	BIN=$(RELEASE_BIN) ACCOUNTS=$(ACCOUNTS) bash contrib/bench/profile.sh

shared-answers: release client-tools ## how long a check takes with shared answers, and without
	BIN=$(RELEASE_BIN) bash contrib/bench/shared-answers.sh

MODEL_STEPS ?= 1000000

model: release build-tests ## a million random credit commands against the daemon and plain books
	ENTITLD_BIN_DIR=$(RELEASE_BIN) ENTITLD_CREDIT_STEPS=$(MODEL_STEPS) \
	  $(XCTEST) $(SUITES) '^DaemonTests\.LiveCreditTests'

SHUFFLES ?= 1000000

shuffles: build-tests ## a million orders of what stores tell: every account ends the same
	ENTITLD_SHUFFLES=$(SHUFFLES) $(YIELDING) $(XCTEST) $(SUITES) '^EntitlementsTests\..*ShuffleTests'

CUSTOMERS ?= 200
CRASHES ?= 20

# The customers of 24 months alone: they need both cores.
stores: build-tests ## 200 customers lose half of all messages, 24 months of Apple's, then a year of three stores'; 20 times kill -9 under all three, and under an outbox
	ENTITLD_TEST_CUSTOMERS=$(CUSTOMERS) $(XCTEST) $(SUITES) '^DaemonTests\.LostNotification'
	ENTITLD_TEST_CUSTOMERS=$(CUSTOMERS) ENTITLD_TEST_CRASHES=$(CRASHES) \
	  $(XCTEST) $(SUITES) '^DaemonTests\.(ThreeStore|OutboxTests)'

ROT_SIZES ?= 1,64
ROT_WOUNDS ?= 200

rot: release ## 200 flips, 40 truncations and lost blocks of each kind of file: right answers or exit 65
	python3 Tests/Rot/rot.py --program $(RELEASE_BIN)/entitld --stores $(BUILD)/rot \
	  --sizes $(ROT_SIZES) --wounds $(ROT_WOUNDS)

rot-smoke: ## a few of them, on a store of 1 MiB
	@$(MAKE) rot ROT_SIZES=1 ROT_WOUNDS=8

crowd-tools: release
	@command -v python3 >/dev/null && command -v openssl >/dev/null || { \
	  $(SUDO) apt-get update -q && \
	  $(SUDO) apt-get install -qy --no-install-recommends python3 openssl; }

CROWD_ACCOUNTS ?= 100000

crowd: crowd-tools ## polite clients beside nine bad neighbours: p99 alone, beside, and a verdict
	python3 Tests/Crowd/crowd.py --bin $(RELEASE_BIN) --accounts $(CROWD_ACCOUNTS)

CROWD_SMOKE ?= 1a,1b,1c,2a,2b,2c,2d,3,4a,4b,5a,5b,6,7,8,9

crowd-smoke: crowd-tools ## the same, small: nothing refused, nothing lost, the order right
	python3 Tests/Crowd/crowd.py --bin $(RELEASE_BIN) --smoke --only $(CROWD_SMOKE)

grow: crowd-tools ## what grows with everything that ever happened, at three sizes, with bounds
	python3 Tests/Crowd/grow.py --bin $(RELEASE_BIN)

time: release ## how late watchers hear of ends; reads, writes and memory meanwhile
	BIN=$(RELEASE_BIN) bash contrib/bench/time.sh

IMPORT_USERS ?= 100000

import: crowd-tools ## bring over 100,000 users: twice is once, and the same where everything was killed in the middle
	python3 Tests/Import/bulk.py --bin $(RELEASE_BIN) --users $(IMPORT_USERS)

# One build for all of it: optimised, as it is used, with what tests need to see inside.
CHECKED = CONFIGURATION=release BUILD_FLAGS='-Xswiftc -enable-testing'

check: lint client-types ## what has to be green before a change lands
	@$(MAKE) --no-print-directory $(CHECKED) build-tests
	@bin=$(RELEASE_BIN); $(MAKE) --no-print-directory $(CHECKED) SWIFT_BUILD=true BIN=$$bin \
	  RELEASE_BIN=$$bin YIELDING='nice -n 19' -j 2 shuffles check-beside

# Everything else, one after the other; the million orders take what it leaves of the processor.
check-beside:
	@$(MAKE) --no-print-directory oracle
	@$(MAKE) --no-print-directory demo
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory model
	@$(MAKE) --no-print-directory conformance
	@$(MAKE) --no-print-directory examples
	@$(MAKE) --no-print-directory import IMPORT_USERS=3000
	@$(MAKE) --no-print-directory instructions
	@$(MAKE) --no-print-directory crowd-smoke
	@$(MAKE) --no-print-directory rot-smoke

clean:
	rm -rf $(BUILD) .venv-oracle .venv-clients
