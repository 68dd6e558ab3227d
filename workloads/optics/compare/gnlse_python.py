"""Compares longrun-optics with gnlse-python on one and the same discrete problem.

Both solve the supercontinuum of Dudley, Genty and Coen without noise, on the same grid, from the
same samples of the launched pulse and with the same table of the Raman response. They run
alternately, one thread each. The reference is a much tighter run of longrun-optics; the tolerance
of each side is searched for until its error is the one asked for, so that the times are compared
at equal error.

gnlse-python builds its own grid (dt = T / (N - 1)) and samples its Raman response half a sample
late, either of which alone changes the field beyond recognition; both are replaced here.

    python gnlse_python.py --worker longrun-optics --library liblongrun.so --build-key KEY

Needs gnlse and numpy, in an environment of their own. Neither is a dependency of this repository.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
for variable in THREAD_VARIABLES:
    os.environ[variable] = "1"
os.environ["TQDM_DISABLE"] = "1"  # its progress bar is drawn inside the right-hand side

import gnlse  # noqa: E402
import numpy as np  # noqa: E402

SPEED_OF_LIGHT = 299792458.0
DUDLEY_BETAS = (  # s^k / m, from the second on
    -1.1830e-26, 8.1038e-41, -9.5205e-56, 2.0737e-70, -5.3943e-85,
    1.3486e-99, -2.5495e-114, 3.0524e-129, -1.7140e-144,
)
RAMAN_TAU1_S, RAMAN_TAU2_S = 12.2e-15, 32e-15
PS = 1e-12
# The ratio of gnlse-python's own default tolerances, 1e-4 and 1e-3.
DEFAULT_ATOL_OVER_RTOL = 0.1
# Where the search for a tolerance begins, how it goes on, and when it gives up.
FIRST_RTOL, ERROR_POWER, TRIES_MAX = 1e-8, 1.2, 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worker", required=True, help="binary longrun-optics")
    parser.add_argument("--library", required=True, help="native library, shared object")
    parser.add_argument("--build-key", required=True, help="build key that the library carries")
    parser.add_argument("--points", type=int, default=8192)
    parser.add_argument("--window-s", type=float, default=12.5e-12)
    parser.add_argument("--length-m", type=float, default=0.15)
    parser.add_argument("--wavelength-m", type=float, default=835e-9)
    parser.add_argument("--tau-s", type=float, default=28.5267e-15)
    parser.add_argument("--peak-power-w", type=float, default=1e4)
    parser.add_argument("--gamma", type=float, default=0.11, help="1/(W m)")
    parser.add_argument("--raman-fraction", type=float, default=0.18)
    parser.add_argument("--error", type=float, default=1e-6, help="relative L2 error of the field")
    parser.add_argument("--reference-rtol", type=float, default=1e-12)
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


class Longrun:
    """The worker of this repository, called with a request that is written here."""

    name = "longrun-optics"

    def __init__(self, options):
        self.options = options

    def request(self, rtol):
        o = self.options
        return {
            "protocol_version": 1,
            "request_id": f"compare-{rtol:e}",
            "task": "run",
            "configuration": {
                "suite": "tracking", "case": "gnlse_dudley_8192", "size": "full", "revision": 1,
                "engine": "native", "stepper": "default", "variant": "", "width": "1",
            },
            "interface": "gnlse",
            "parameters": {
                "fibre": {"gamma_per_w_m": o.gamma, "dispersion_s_per_m": list(DUDLEY_BETAS)},
                "raman": "blow_wood",
                "raman_fraction": o.raman_fraction,
                "raman_spectrum": "continuous",
                "shock": True,
                "pulse": {"shape": "sech", "tau_s": o.tau_s, "peak_power_w": o.peak_power_w},
                "wavelength_m": o.wavelength_m,
                "points": o.points,
                "window_s": o.window_s,
                "absorb": False,
                "length_m": o.length_m,
                "planes": 2,
                "rtol": rtol,
            },
            "library": {"path": str(pathlib.Path(o.library).resolve()), "build_key": o.build_key},
            "threads": 1,
            "repeats": 1,
            "warm_up": 0.02,
            "length": 1.0,
            "noise": "none",
            "default_stepper": "rk",
            "bounds": {"repeat": 1e-9, "revision": 1e-6},
            "keep_state": True,
        }

    def run(self, rtol):
        """Seconds of the propagation alone, and the stored spectrum at the end."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            request, receipt = folder / "request.json", folder / "receipt.json"
            request.write_text(json.dumps(self.request(rtol)))
            command = [self.options.worker, "--request", request, "--receipt", receipt]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{self.options.worker} failed: {done.stderr.strip()}")
            answer = json.loads(receipt.read_text())
            spectrum = np.load(folder / "final_state.npy")
        return answer["samples"][0]["interval_ns"] * 1e-9, spectrum


class GnlsePython:
    """gnlse-python with grid, launch, operator and Raman table of the same problem.

    It works in picoseconds and with optics-signed spectra: it transforms to frequency with the
    inverse FFT, so its field is the conjugate of ours.
    """

    name = "gnlse-python"

    def __init__(self, options):
        o = options
        self.options = o
        step_s = o.window_s / o.points
        self.times_s = (np.arange(o.points) - o.points // 2) * step_s
        self.offsets = 2 * math.pi * np.fft.fftshift(np.fft.fftfreq(o.points, step_s))
        self.carrier = 2 * math.pi * SPEED_OF_LIGHT / o.wavelength_m

    def raman(self):
        """The continuous transform of the response at the frequencies of the grid, FFT order."""
        rate1, rate2 = 1 / RAMAN_TAU1_S, 1 / RAMAN_TAU2_S
        omega = np.fft.ifftshift(self.offsets)
        table = (rate1**2 + rate2**2) / ((rate2 + 1j * omega) ** 2 + rate1**2)
        nyquist = len(table) // 2
        table[nyquist] = table[nyquist].real
        return table

    def solver(self, rtol):
        o = self.options
        setup = gnlse.GNLSESetup()
        setup.resolution = o.points
        setup.time_window = o.window_s / PS
        setup.wavelength = o.wavelength_m * 1e9
        setup.fiber_length = o.length_m
        setup.nonlinearity = o.gamma
        setup.pulse_model = math.sqrt(o.peak_power_w) / np.cosh(self.times_s / o.tau_s)
        setup.self_steepening = True
        setup.rtol = rtol
        setup.atol = rtol * DEFAULT_ATOL_OVER_RTOL
        setup.z_saves = 2
        setup.method = "RK45"
        solver = gnlse.GNLSE(setup)
        self.replace(solver)
        return solver

    def replace(self, solver):
        """Puts the shared problem in the place of the solver's own."""
        o = self.options
        solver.t = self.times_s / PS
        solver.Omega = (self.carrier + self.offsets) * PS
        solver.W = np.fft.ifftshift((self.carrier + self.offsets) * PS)
        solver.gamma = o.gamma / (self.carrier * PS)
        # The operator is in ascending order: the solver shifts it when it runs.
        phase = np.zeros_like(self.offsets)
        for order, beta in enumerate(DUDLEY_BETAS, start=2):
            phase += beta * self.offsets**order / math.factorial(order)
        solver.D = 1j * phase
        solver.fr = o.raman_fraction
        # It divides by the length and multiplies by dt, and the kernel of its inverse transform
        # is the conjugate of ours.
        solver.RW = np.conj(self.raman()) / (solver.t[1] - solver.t[0])

    def run(self, rtol):
        """Seconds of the propagation alone, and the end as a stored spectrum of ours."""
        solver = self.solver(rtol)
        start = time.perf_counter()
        solution = solver.run()
        elapsed = time.perf_counter() - start
        return elapsed, np.fft.fft(np.conj(solution.At[-1]))


def error(spectrum, reference):
    return float(np.linalg.norm(spectrum - reference) / np.linalg.norm(reference))


def at_error(side, wanted, reference):
    """A tolerance whose error is between four fifths of the one wanted and the one wanted."""
    rtol = FIRST_RTOL
    for _ in range(TRIES_MAX):
        _, spectrum = side.run(rtol)
        found = error(spectrum, reference)
        print(f"{side.name:>15}  rtol {rtol:.2e}  error {found:.2e}", flush=True)
        if 0.8 * wanted <= found <= wanted:
            return rtol
        # The error of both follows the tolerance with about this power.
        rtol *= (0.9 * wanted / found) ** (1 / ERROR_POWER)
    sys.exit(f"{side.name} does not settle at an error of {wanted}")


def main():
    options = arguments()
    ours, theirs = Longrun(options), GnlsePython(options)
    _, reference = ours.run(options.reference_rtol)
    sides = (ours, theirs)
    tolerances = [at_error(side, options.error, reference) for side in sides]
    ratios, times = [], ([], [])
    for round_number in range(options.rounds):
        # Alternating which side goes first cancels a drift of the machine.
        order = (0, 1) if round_number % 2 == 0 else (1, 0)
        seconds = [0.0, 0.0]
        for index in order:
            seconds[index], _ = sides[index].run(tolerances[index])
            times[index].append(seconds[index])
        ratios.append(seconds[1] / seconds[0])
        print(f"round {round_number + 1}: {seconds[0]:.3f} s, {seconds[1]:.3f} s", flush=True)
    for side, rtol, values in zip(sides, tolerances, times):
        print(f"{side.name}: rtol {rtol:.2e}, median {statistics.median(values):.3f} s, "
              f"{min(values):.3f} to {max(values):.3f} s")
    print(f"ratio at error {options.error:.0e}: median {statistics.median(ratios):.2f}, "
          f"{min(ratios):.2f} to {max(ratios):.2f} over {options.rounds} rounds")


if __name__ == "__main__":
    main()
