//! Builds the native library once for all tests, under a lock, and loads it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use longrun_optics::gnlse::Gnlse;
use longrun_optics::native::{Expected, NativeLibrary, Propagation};
use longrun_optics::steppers::{Asked, Integration};
use longrun_optics::witness::sha256_hex;

/// The build key that the tests give their library.
pub const BUILD_KEY: &str = "7e57";

/// Parts of `native/` that do not decide what the library is.
const IGNORED: [&str; 2] = ["docs", "tests"];

/// The root of the repository.
pub fn repository() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .nth(2)
        .expect("the package lies two folders deep")
        .to_owned()
}

/// Path of the native library, built from the sources as they are.
///
/// Builds are kept by the digest of the sources, so only a changed source costs time. A machine
/// that cannot build it fails the tests: it never skips them.
pub fn path() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build).clone()
}

/// The loaded library.
pub fn load() -> NativeLibrary {
    let expected = Expected {
        build_key: BUILD_KEY,
    };
    NativeLibrary::load(&path(), expected).expect("the library that was just built loads")
}

/// An engine for a case, one thread, with the stepper that is named.
pub fn engine(case: &Gnlse, stepper: &str) -> Propagation {
    let asked = Asked {
        stepper,
        length: 1.0,
        replay: None,
    };
    let integration = Integration::resolve(case, asked).expect("the steps follow from the case");
    Propagation::create(&load(), &case.problem(), &integration, 1).expect("the engine is built")
}

/// What is wrong with the library of [`defective_path`]: file, what stands there, and what instead.
const DEFECTS: [[&str; 3]; 6] = [
    // Its team takes one thread, whatever it is asked for.
    [
        "src/core/team.hpp",
        "num_threads(threads_)",
        "num_threads(1)",
    ],
    // Every advance allocates, and so does every block of a kernel: itself, by FFTW, and by OpenMP.
    [
        "src/optics/abi.cpp",
        "return propagation->advance(",
        "delete new int64_t{0};\n    return propagation->advance(",
    ],
    [
        "src/kernels/abi.cpp",
        "return kernel->run(ops);",
        "delete new int64_t{ops};\n    fftw_free(fftw_malloc(64));\n    \
         omp_free(omp_alloc(64, omp_default_mem_alloc), omp_default_mem_alloc);\n    \
         return kernel->run(ops);",
    ],
    // One value of each product of half spectra is off by one part in 10^9.
    [
        "src/optics/pointwise.cpp",
        "out[i] = table[i] * in[i];",
        "out[i] = (i == 7 ? 1 + 1e-9 : 1.0) * (table[i] * in[i]);",
    ],
    // Its table has no structure for the times of parts, like that of an older library.
    [
        "src/core/layouts.cpp",
        "LONGRUN_WHOLE(longrun_propagation_parts),",
        "",
    ],
    // Nor has it guides.
    [
        "src/core/layouts.cpp",
        "LONGRUN_WHOLE(longrun_guided_problem),",
        "",
    ],
];

/// Path of a library with planted defects. Built without optimisation, which takes less time and
/// leaves every one of them in.
pub fn defective_path() -> PathBuf {
    let (store, _lock) = locked_store();
    // Other defects are another library of the same sources.
    let name = sha256_hex(format!("{DEFECTS:?}").as_bytes());
    let folder = store.join(format!("defective-{}", &name[..16]));
    let library = folder.join("build/liblongrun.so");
    let done = folder.join("done");
    if !done.exists() {
        let native = folder.join("native");
        copy(&repository().join("native"), &native);
        for [file, sound, planted] in DEFECTS {
            let path = native.join(file);
            let text = fs::read_to_string(&path).expect("a source can be read");
            assert!(text.contains(sound), "`{file}` no longer says `{sound}`");
            fs::write(&path, text.replace(sound, planted)).expect("a defect can be planted");
        }
        let build = folder.join("build");
        configure_and_build(&native, &build, "Debug", "-DLONGRUN_TESTS=OFF");
        File::create(done).expect("the mark of a finished build can be made");
    }
    library
}

fn copy(from: &Path, to: &Path) {
    let mut files = Vec::new();
    collect(from, &mut files);
    for file in files {
        let name = file
            .strip_prefix(from)
            .expect("files lie below the folder walked");
        let target = to.join(name);
        let folder = target.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).expect("a folder can be made");
        fs::copy(&file, &target).expect("a source can be copied");
    }
}

/// Builds the test programs of the native library beside it and runs them all with ctest.
///
/// They are built anew whenever they changed: they are no part of what names the build.
pub fn run_ctest() {
    path();
    let (store, _lock) = locked_store();
    let build = store.join("build");
    configure_and_build(
        &repository().join("native"),
        &build,
        "Release",
        "-DLONGRUN_TESTS=ON",
    );
    let mut ctest = Command::new("ctest");
    ctest
        .arg("--test-dir")
        .arg(&build)
        .arg("--output-on-failure");
    succeed(ctest);
}

/// The folder of the build of the sources as they are, held against other processes.
fn locked_store() -> (PathBuf, File) {
    let store = repository()
        .join("target/longrun/test-native")
        .join(digest(&repository().join("native")));
    fs::create_dir_all(&store).expect("the folder of test builds can be made");
    let lock = File::create(store.join("lock")).expect("the lock can be made");
    lock.lock().expect("the lock can be taken");
    (store, lock)
}

fn build() -> PathBuf {
    let (store, _lock) = locked_store();
    let native = repository().join("native");
    let library = store.join("build/liblongrun.so");
    let done = store.join("done");
    if !done.exists() {
        configure_and_build(
            &native,
            &store.join("build"),
            "Release",
            "-DLONGRUN_TESTS=OFF",
        );
        assert!(
            library.exists(),
            "the native build left no `{}`",
            library.display()
        );
        File::create(done).expect("the mark of a finished build can be made");
    }
    library
}

fn configure_and_build(native: &Path, build: &Path, profile: &str, tests: &str) {
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(native).arg("-B").arg(build).args([
        &format!("-DCMAKE_BUILD_TYPE={profile}"),
        "-DCMAKE_CXX_FLAGS=-march=native",
        &format!("-DLONGRUN_BUILD_KEY={BUILD_KEY}"),
        tests,
    ]);
    succeed(configure);
    let mut compile = Command::new("cmake");
    compile.arg("--build").arg(build).args(["--parallel", "2"]);
    succeed(compile);
}

fn succeed(mut command: Command) {
    let advice = "these tests need cmake, a C++20 compiler and FFTW 3 with OpenMP: \
                  `cargo xtask setup` says how to get them";
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("failed to start {command:?}: {error}; {advice}"),
    };
    assert!(
        output.status.success(),
        "{command:?} ended with {}; {advice}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn digest(native: &Path) -> String {
    let mut files = Vec::new();
    collect(native, &mut files);
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let name = file
            .strip_prefix(native)
            .expect("files lie below the folder walked");
        let content = fs::read(&file).expect("a source can be read");
        all.extend(format!("{} {}\n", name.display(), sha256_hex(&content)).into_bytes());
    }
    sha256_hex(&all)[..16].to_owned()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a source folder can be read") {
        let path = entry.expect("an entry can be read").path();
        let ignored = IGNORED
            .iter()
            .any(|name| path.ends_with(format!("native/{name}")));
        if path.is_dir() && !ignored {
            collect(&path, files);
        } else if path.is_file() {
            files.push(path);
        }
    }
}
