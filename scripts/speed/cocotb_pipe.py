"""cocotb on the block of scripts/speed: every input driven, every output compared, in every cycle.

    python3 scripts/speed/cocotb_pipe.py SIMULATOR CYCLES [ROUNDS]

prints cocotb's version and the clock cycles a second of CPU time that it ran, a line a round. The
vectors are made before the clock starts, and there is one wait a cycle: the least that cocotb can
do.
"""

import os
import random
import sys
import tempfile
import time
from pathlib import Path

MASK = (1 << 64) - 1


def vectors(n):
    """The inputs of n cycles, and the outputs that the block has after each."""
    r = random.Random(1)
    inputs, outputs = [], []
    first = second = third = (0, 0, 0)  # stages: valid, result, tag
    count = 0
    for i in range(n):
        rst, valid, op = int(i < 4), int(r.random() < 0.75), r.getrandbits(2)
        a, b, tag = r.getrandbits(64), r.getrandbits(64), r.getrandbits(16)
        inputs.append((rst, valid, op, a, b, tag))
        count = 0 if rst else (count + second[0]) & 0xFFFFFFFF
        live = 1 - rst
        third = (second[0] & live, second[1], second[2])
        second = (first[0] & live, first[1], first[2])
        result = ((a + b) & MASK, (a - b) & MASK, a & b, a ^ b)[op]
        first = (valid & live, result, tag)
        outputs.append((third[0], third[1], third[2], int(third[1] == 0), count))
    return inputs, outputs


if "COCOTB_PIPE" in os.environ:  # within the simulator
    import cocotb
    from cocotb.clock import Clock
    from cocotb.triggers import FallingEdge

    @cocotb.test()
    async def pipe(dut):
        cycles = int(os.environ["COCOTB_PIPE"])
        skip = 8  # reset, and stages that hold nothing yet
        inputs, outputs = vectors(cycles)
        fall = FallingEdge(dut.clk_i)
        clock = Clock(dut.clk_i, 10, "ns").start(start_high=False)
        if cocotb.__version__.startswith("1."):
            cocotb.start_soon(clock)  # from 2.0 on it has started
        await fall
        for i in range(cycles):
            if i == skip:
                began = time.process_time()
            rst, valid, op, a, b, tag = inputs[i]
            dut.rst_i.value = rst
            dut.valid_i.value = valid
            dut.op_i.value = op
            dut.a_i.value = a
            dut.b_i.value = b
            dut.tag_i.value = tag
            await fall
            if i < skip:
                continue
            got = (
                int(dut.valid_o.value),
                int(dut.result_o.value),
                int(dut.tag_o.value),
                int(dut.zero_o.value),
                int(dut.count_o.value),
            )
            assert got == outputs[i], f"cycle {i}: {got}, not {outputs[i]}"
        speed = (cycles - skip) / (time.process_time() - began)
        Path(os.environ["COCOTB_PIPE_OUT"]).write_text(f"{cocotb.__version__} {speed:.0f}\n")


def main():
    try:
        from cocotb_tools.runner import get_runner
    except ImportError:  # before 2.0
        from cocotb.runner import get_runner

    simulator, cycles = sys.argv[1], sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    here = Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as build:
        runner = get_runner(simulator)
        runner.build(
            verilog_sources=[here / "../../sim/testdata/pipe.sv"],
            hdl_toplevel="pipe",
            build_dir=build,
            build_args=["-O3"] if simulator == "verilator" else ["-g2012"],
            timescale=("1ns", "1ps"),
        )
        for _ in range(rounds):
            out = Path(build, "speed")
            runner.test(
                hdl_toplevel="pipe",
                test_module="cocotb_pipe",
                extra_env={"COCOTB_PIPE": cycles, "COCOTB_PIPE_OUT": str(out), "PYTHONPATH": str(here)},
                build_dir=build,
                test_dir=build,
            )
            print(out.read_text(), end="")
            out.unlink()


if __name__ == "__main__":
    main()
