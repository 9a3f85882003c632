# Each target says what it does: make help.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
OUT := out

# go test does not see when a simulator changes, which lies outside of the module; it
# does see when this does, which the tests read.
export COSIMATE_TOOLS = $(shell stat -Lc '%n %s %Y' $$(command -v iverilog vvp verilator verilator_bin g++ gcc yosys yosys-abc) 2>/dev/null | cksum)

# Tests with Mutants in their name plant faults in the RTL, to show that its testbench finds them.
# They check the checks, and are a target of their own. What sim has run, test finds in go's cache:
# the flags must be the same. go vet is lint's. The longest packages come first, so that the short
# ones are left when one core has nothing more to do. Many tests wait for processes: one package
# more than there are cores keeps these busy. RTL are the folders that have some, their vectors and
# the golden positions; SYSTEM are the packages that test whole programs as their users meet them,
# most of them slow: commands, guides, vectors, pages in a browser, a Slurm, proofs. The guides are
# two at a time by themselves. What -short leaves out (grep -r 'testing.Short\|\[short\]') make
# nightly runs, and so does go test PACKAGE.
TESTS := go test -short -vet=off -timeout 30m -p $(shell expr $$(nproc) + 1) -skip Mutants
BLOCKS = $(patsubst %/,./%,$(sort $(dir $(wildcard rtl/*/*.sv))))
RTL = ./rtl/board ./rtl/validity ./vectors/perft ./rtl/blocks ./rtl/core $(BLOCKS) ./docs/examples/...
SYSTEM = ./docs/guide ./cmd/cosimate ./vectors ./rtl/board/live ./rtl/movegen/live ./rtl/board/host ./sim/try ./sim/mutate ./sim/regress ./sim/wave ./sim/live/... ./sim/uart ./cmd/board
OTHERS = $(shell go list ./... | grep -vxF "$$(go list $(SYSTEM))")
MUTANTS = $(shell grep -rl --include='*_test.go' 'func Test.*Mutants' rtl vectors docs/examples | xargs -n 1 dirname | sort -u | sed 's|^|./|')
# Which part of the faults make mutants plants: one of 32 by day. make nightly plants all.
PART ?= $(shell echo $$(($$(date +%s) / 86400 % 32 + 1)))/32

.DEFAULT_GOAL := help

help: ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

sim: ## run all RTL against its references in Icarus and Verilator: testbenches, test vectors, perft of the golden positions
	@scripts/setup iverilog verilator zlib1g-dev
	@$(TESTS) $(RTL)
	@echo 'sim: all passed'

test: ## run the Go tests of each package: those of sim, the bridge, the framework and the engine
	@scripts/setup iverilog verilator yosys zlib1g-dev fst2vcd polyglot
	@$(TESTS) $(RTL) ./bridge ./sim $(OTHERS)

system: ## test whole programs as their users meet them: commands, guides, pages in a browser, regressions on a Slurm
	@scripts/setup iverilog verilator yosys zlib1g-dev fst2vcd chromium-headless-shell slurmctld slurmd munged
	@$(TESTS) -p $(shell nproc) $(SYSTEM)

live: ## serve the chess board as a page, in a simulator, until Ctrl-C
	@scripts/setup verilator
	@go run ./cmd/cosimate live

mutants: ## plant faults in the RTL, one at a time; each must be found by its testbench. A part a day, all with PART=1/1
	@scripts/setup iverilog verilator zlib1g-dev
	@PART=$(PART) go test -vet=off -timeout 30m -run Mutants $(MUTANTS)
	@echo 'mutants: those of part $(PART) were found'

nightly: ## as sim, test and system, deeper: every depth of every golden position, all tests under the race detector, both ends of the simulators' versions
	@scripts/setup iverilog verilator yosys zlib1g-dev fst2vcd polyglot chromium-headless-shell xboard xvfb-run gnuchess slurmctld slurmd munged
	@scripts/nightly

lint: ## gofmt, go vet, staticcheck, Verilator's lint and Yosys' elaboration of all RTL
	@scripts/setup verilator yosys
	@scripts/lint

pnr: ## place and route every block for the Zedboard's part; reports in docs/pnr
	@scripts/setup debootstrap
	@scripts/pnr

faults: ## plant faults in the bridge, the framework and the search, one at a time; each must be found by the tests
	@scripts/setup iverilog verilator yosys zlib1g-dev fst2vcd chromium-headless-shell
	@go run ./cmd/cosimate regress scripts/faults.plan --out $(OUT)/planted

bench: ## print speeds as ratios: generator to Stockfish, co-simulation to bare simulators
	@scripts/setup iverilog verilator yosys zlib1g-dev stockfish chromium-headless-shell
	@scripts/bench

dist: ## build the command as one file, out/dist/cosimate, and show that it works in a Debian with the simulators and no Go
	@scripts/dist

clean: ## remove what make has written here (the model cache stays: see COSIMATE_CACHE)
	rm -rf $(OUT)

.PHONY: help sim test system live mutants nightly lint pnr faults bench dist clean
