// What this machine can do at most: bytes read and written per second for some working sets, and
// multiply-adds per second, by as many threads as OpenMP gives.
//
// Usage: roof PASSES LEAST_SECONDS BYTES...   (working sets, per thread)
// Prints one JSON object on stdout. Rates are those of all threads together, one for each pass.
// Every thread has arrays of its own, which it touches first.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <omp.h>

namespace {

// The widest vectors that the flags of the build allow.
#if defined(__AVX512F__)
constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t vector_bytes = 32;
#else
constexpr std::size_t vector_bytes = 16;
#endif
using Vector [[gnu::vector_size(vector_bytes)]] = double;
constexpr std::int64_t lanes = vector_bytes / sizeof(double);

// Sums that do not wait for each other. Two units with a latency of four or five cycles need ten;
// Arm has four units and registers for twenty.
#if defined(__aarch64__)
constexpr int chains = 20;
#else
constexpr int chains = 10;
#endif

constexpr std::int64_t rounds_max = std::int64_t{1} << 40;
constexpr std::int64_t steps_per_round = 1000;
constexpr int passes_max = 1000;

// What was computed ends here, so that no compiler leaves it out.
std::atomic<double> sink = 0.0;

double seconds_now() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

// Memory is not what the compiler thinks it is: what was stored counts, what is read is read again.
void forget_memory() {
    __asm__ volatile("" ::: "memory");
}

double total(const Vector& vector) {
    double sum = 0.0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
        sum += vector[lane];
    }
    return sum;
}

struct Free {
    void operator()(Vector* memory) const { std::free(memory); }
};

// The arrays of one thread; `length` is in vectors and a multiple of `chains`.
struct Arrays {
    std::unique_ptr<Vector[], Free> a;
    std::unique_ptr<Vector[], Free> b;
    std::unique_ptr<Vector[], Free> c;
    std::int64_t length = 0;

    bool create(std::int64_t bytes, int arrays) {
        constexpr std::int64_t block = chains * static_cast<std::int64_t>(vector_bytes);
        const std::int64_t blocks = bytes / arrays / block;
        length = (blocks > 0 ? blocks : 1) * chains;
        bool all = true;
        for (auto* array : {&a, &b, &c}) {
            if (arrays-- <= 0) {
                break;
            }
            const auto size = static_cast<std::size_t>(length) * vector_bytes;
            array->reset(static_cast<Vector*>(std::aligned_alloc(vector_bytes, size)));
            all = all && *array;
            for (std::int64_t i = 0; *array && i < length; ++i) {
                (*array)[static_cast<std::size_t>(i)] = Vector{} + 1.0;
            }
        }
        return all;
    }
};

// Bytes per element and round: 8 read. No FLOP is counted.
void read_round(const Vector* a, std::int64_t length, Vector (&sums)[chains]) {
    for (std::int64_t i = 0; i < length; i += chains) {
        for (int chain = 0; chain < chains; ++chain) {
            sums[chain] += a[i + chain];
        }
    }
    forget_memory();
}

// Bytes per element and round: 16 read and 8 written; what a cache fetches before it writes is not
// counted.
void triad_round(Vector* __restrict a, const Vector* __restrict b, const Vector* __restrict c,
                 std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) {
        a[i] = b[i] + 0.5 * c[i];
    }
    forget_memory();
}

// FLOPs per round: 2 * chains * lanes * steps_per_round.
void multiply_add_round(Vector (&sums)[chains]) {
    for (std::int64_t step = 0; step < steps_per_round; ++step) {
        for (int chain = 0; chain < chains; ++chain) {
            sums[chain] = sums[chain] * 0.999 + 0.001;
        }
    }
    forget_memory();
}

// Time in which every thread does so many rounds.
template <typename Work>
double timed(const Work& work, std::int64_t rounds) {
    double began = 0.0;
    double ended = 0.0;
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp master
        began = seconds_now();
        work(omp_get_thread_num(), rounds);
#pragma omp barrier
#pragma omp master
        ended = seconds_now();
    }
    return ended - began;
}

struct Plan {
    int passes = 0;
    double least_s = 0.0;
};

// Rates of `amount` a round, one for each pass. Passes are as long as asked; finding out how many
// rounds that takes is the warm-up.
template <typename Work>
std::vector<double> rates(const Plan& plan, double amount, const Work& work) {
    std::int64_t rounds = 1;
    while (timed(work, rounds) < plan.least_s && rounds < rounds_max) {
        rounds *= 2;
    }
    std::vector<double> rates;
    for (int pass = 0; pass < plan.passes; ++pass) {
        rates.push_back(amount * static_cast<double>(rounds) / timed(work, rounds));
    }
    return rates;
}

bool create(std::vector<Arrays>& threads, std::int64_t bytes, int arrays) {
    int failed = 0;
#pragma omp parallel reduction(+ : failed)
    failed += threads[static_cast<std::size_t>(omp_get_thread_num())].create(bytes, arrays) ? 0 : 1;
    return failed == 0;
}

void print(const char* name, const std::vector<double>& rates) {
    std::printf("\"%s\":[", name);
    for (std::size_t pass = 0; pass < rates.size(); ++pass) {
        std::printf("%s%.6e", pass == 0 ? "" : ",", rates[pass]);
    }
    std::printf("]");
}

bool measure_reads(const Plan& plan, std::size_t threads, std::int64_t bytes) {
    std::vector<Arrays> arrays(threads);
    if (!create(arrays, bytes, 1)) {
        return false;
    }
    const double amount = static_cast<double>(threads) * static_cast<double>(arrays[0].length) *
                          static_cast<double>(vector_bytes);
    const auto work = [&](int thread, std::int64_t rounds) {
        const Arrays& own = arrays[static_cast<std::size_t>(thread)];
        Vector sums[chains] = {};
        for (std::int64_t round = 0; round < rounds; ++round) {
            read_round(own.a.get(), own.length, sums);
        }
        double sum = 0.0;
        for (const Vector& part : sums) {
            sum += total(part);
        }
        sink.store(sum, std::memory_order_relaxed);
    };
    print("read_bytes_per_s", rates(plan, amount, work));
    return true;
}

bool measure_triads(const Plan& plan, std::size_t threads, std::int64_t bytes) {
    std::vector<Arrays> arrays(threads);
    if (!create(arrays, bytes, 3)) {
        return false;
    }
    const double amount = 3.0 * static_cast<double>(threads) *
                          static_cast<double>(arrays[0].length) * static_cast<double>(vector_bytes);
    const auto work = [&](int thread, std::int64_t rounds) {
        const Arrays& own = arrays[static_cast<std::size_t>(thread)];
        for (std::int64_t round = 0; round < rounds; ++round) {
            triad_round(own.a.get(), own.b.get(), own.c.get(), own.length);
        }
    };
    print("triad_bytes_per_s", rates(plan, amount, work));
    return true;
}

void measure_multiply_adds(const Plan& plan, std::size_t threads) {
    const double amount =
        2.0 * static_cast<double>(threads) * chains * static_cast<double>(lanes * steps_per_round);
    const auto work = [](int, std::int64_t rounds) {
        Vector sums[chains] = {};
        for (std::int64_t round = 0; round < rounds; ++round) {
            multiply_add_round(sums);
        }
        double sum = 0.0;
        for (const Vector& part : sums) {
            sum += total(part);
        }
        sink.store(sum, std::memory_order_relaxed);
    };
    print("multiply_add_flop_per_s", rates(plan, amount, work));
}

std::size_t team_size() {
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += 1;
    return static_cast<std::size_t>(threads);
}

}  // namespace

int main(int count, char** words) {
    if (count < 4) {
        std::fprintf(stderr, "usage: roof PASSES LEAST_SECONDS BYTES...\n");
        return 2;
    }
    Plan plan;
    plan.passes = std::atoi(words[1]);
    plan.least_s = std::atof(words[2]);
    if (plan.passes < 1 || plan.passes > passes_max || !(plan.least_s >= 0.0)) {
        std::fprintf(stderr, "roof: passes or seconds are out of range\n");
        return 2;
    }
    const std::size_t threads = team_size();
    std::printf("{\"threads\":%zu,\"sets\":[", threads);
    for (int word = 3; word < count; ++word) {
        const std::int64_t bytes = std::atoll(words[word]);
        std::printf("%s{\"bytes\":%lld,", word == 3 ? "" : ",", static_cast<long long>(bytes));
        if (!measure_reads(plan, threads, bytes)) {
            std::fprintf(stderr, "roof: out of memory\n");
            return 1;
        }
        std::printf(",");
        if (!measure_triads(plan, threads, bytes)) {
            std::fprintf(stderr, "roof: out of memory\n");
            return 1;
        }
        std::printf("}");
    }
    std::printf("],");
    measure_multiply_adds(plan, threads);
    std::printf("}\n");
    return std::fflush(stdout) == 0 ? 0 : 1;
}
