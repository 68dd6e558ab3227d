"""Diffuses heat around a ring, and says how long that took and what came out."""
import argparse, ctypes, hashlib, json, os, struct, sys, threading, time

# What is served of each key of a request, and which keys may have any value.
SERVED = {"protocol_version": 1, "task": "run", "interface": "heat", "threads": 1, "length": 1.0,
          "noise": "none", "keep_state": False}
FREE = {"request_id", "configuration", "parameters", "library", "repeats", "warm_up", "bounds",
        "default_stepper"}
WAITING = ("OMP_", "GOMP_", "KMP_", "OPENBLAS_", "MKL_")

def refuse_what_is_not_served(request):
    for key, served in SERVED.items():
        if request.get(key, served) != served:
            raise ValueError(f"failed to serve `{key}`: it is {request[key]!r}; use {served!r}")
    if strangers := request.keys() - SERVED.keys() - FREE:
        raise ValueError(f"failed to understand {sorted(strangers)}: update this worker")
    configuration = request["configuration"]
    if configuration["stepper"] != "default" or configuration["variant"]:
        raise ValueError("failed to serve the configuration: it has no steppers and no variants")
    if request["parameters"].keys() != {"points", "steps"}:
        raise ValueError("failed to read the parameters: `points` and `steps` are due, no others")

def launch(points):
    """The temperature at each point: a quarter of the ring is warm."""
    return [1.0 if 4 * i < points else 0.0 for i in range(points)]

def advance(state, steps, workers):
    """Explicit steps of du/dt = d²u/dx², each of a quarter of the squared spacing."""
    workers.add(threading.get_ident())
    for _ in range(steps):
        neighbours = zip(state[-1:] + state[:-1], state, state[1:] + state[:1])
        state = [u + 0.25 * (left - 2.0 * u + right) for left, u, right in neighbours]
    return state

def native_advance(library):
    """The same by the native library, which steps an array where it is."""
    library.heat_advance.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
    def advance(state, steps, workers):
        workers.add(threading.get_ident())
        array = (ctypes.c_double * len(state))(*state)
        library.heat_advance(array, len(state), steps)
        return list(array)
    return advance

def relative_l2(state, first):
    norm = sum(y * y for y in first)
    return (sum((x - y) ** 2 for x, y in zip(state, first)) / norm) ** 0.5

def signs():
    """Words of xoshiro256++, seeded by SplitMix64 as the protocol says."""
    mask = (1 << 64) - 1
    rotate = lambda x, k: (x << k | x >> (64 - k)) & mask
    seed, s = 0x6C6F6E6772756E00, []
    for _ in range(4):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        s.append(z ^ z >> 31)
    while True:
        yield (rotate((s[0] + s[3]) & mask, 23) + s[0]) & mask
        shifted = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotate(s[3], 45)

def sketch(state):
    """256 random signed sums of the state, divided by 16."""
    words, sums = signs(), [0.0] * 256
    for x in state:
        for first in range(0, 256, 64):
            word = next(words)
            for bit in range(64):
                sums[first + bit] += x if word >> bit & 1 else -x
    return [total / 16 for total in sums]

def peak_memory():
    """`VmHWM` in bytes; nothing where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return {"peak_rss_bytes": 1024 * int(fields["VmHWM"].split()[0])}
    except (OSError, KeyError):
        return {}

class Work:
    """One request, phase by phase. The receipt grows as it is worked off."""

    def __init__(self, request):
        self.request, self.phase = request, "request"
        names = ("load", "construct", "translate", "build_engine", "warm_up", "run")
        self.phases = {name + "_ns": 0 for name in names}
        self.receipt = {
            "protocol_version": 1, "request_id": request["request_id"], "worker": "heat 1",
            "configuration": request["configuration"], "phases": self.phases, "samples": [],
            "witnesses": [],
            "thread_environment": {k: v for k, v in os.environ.items() if k.startswith(WAITING)}}

    def enter(self, phase):
        self.phase = phase
        say(event="phase", name=phase)

    def timed(self, phase, function, *arguments):
        self.enter(phase)
        start = time.perf_counter_ns()
        result = function(*arguments)
        self.phases[phase + "_ns"] += time.perf_counter_ns() - start
        return result

    def load(self):
        """The function that advances a state: that of the library, or the one above."""
        if self.request["configuration"]["engine"] == "reference":
            return advance
        library = self.timed("load", ctypes.CDLL, self.request["library"]["path"])
        library.heat_build_key.restype = ctypes.c_char_p
        build_key = library.heat_build_key().decode()
        self.receipt["library"] = {"build_key": build_key, "abi": {"heat": 1}}
        return native_advance(library)

    def run(self):
        refuse_what_is_not_served(self.request)
        points, steps = (self.request["parameters"][name] for name in ("points", "steps"))
        compute = self.load()
        start = self.timed("construct", launch, points)
        untimed_steps = max(1, int(steps * self.request["warm_up"]))
        self.timed("warm_up", compute, start, untimed_steps, set())
        self.enter("run")
        finals = []
        for repeat in range(1, self.request["repeats"] + 1):
            say(event="progress", repeat=repeat, fraction=0.0)
            workers = set()
            wall, cpu = time.perf_counter_ns(), time.process_time_ns()
            state = compute(start, steps, workers)
            cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
            finals.append(state)
            self.phases["run_ns"] += wall
            self.receipt["samples"].append({"interval_ns": wall, "cpu_ns": cpu, "ops": 1})
            self.receipt["witnesses"].append({
                "iterations": steps, "threads_observed": len(workers),
                "digest": hashlib.sha256(struct.pack(f"<{points}d", *state)).hexdigest(),
                "relative_l2_to_first": relative_l2(state, finals[0])})
        self.receipt["witnesses"][-1]["sketch"] = sketch(finals[-1])
        self.receipt["context"] = {"kind": "heat", "heat": sum(finals[-1])}
        self.receipt["resolved"] = {"integrator": "euler", "tolerances": {},
                                    "noise_model": "none", "threads": 1}

def say(**event):
    print(json.dumps(event), flush=True)

def write_whole(path, document):
    """A receipt that exists is whole: it gets its name when it is on disk."""
    with open(path + ".partial", "w", encoding="utf-8") as file:
        json.dump(document, file, allow_nan=False)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".partial", path)

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--request", required=True)
    parser.add_argument("--receipt", required=True)
    paths = parser.parse_args()
    with open(paths.request, encoding="utf-8") as file:
        work = Work(json.load(file))
    try:
        work.run()
        end = {"status": "complete"}
    except Exception as error:
        end = {"status": "failed", "failure": {"phase": work.phase, "message": str(error)}}
    write_whole(paths.receipt, work.receipt | end | {"memory": peak_memory()})
    return 0 if end["status"] == "complete" else 1

sys.exit(main())
