// Where libcudart and libcublas are looked for, and in which order.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>

#include "gputop/calibrate/calibrate.hpp"

namespace gputop::calibrate {
namespace {

namespace fs = std::filesystem;

class Root {
 public:
  Root() {
    std::string pattern = (fs::temp_directory_path() / "gputop-cuda-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  ~Root() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  void file(const std::string& path) const {
    const auto full = path_ / fs::path{path}.relative_path();
    fs::create_directories(full.parent_path());
    std::ofstream{full} << path;  // each its own
  }
  [[nodiscard]] std::vector<CudaLibraries> find(SearchOptions options = {}) const {
    options.root = path_;
    if (!options.environment) options.environment = [](std::string_view) { return std::optional<std::string>{}; };
    return find_cuda(options);
  }
  [[nodiscard]] fs::path at(const std::string& path) const { return path_ / fs::path{path}.relative_path(); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("nothing is found where there is nothing") {
  CHECK(Root{}.find().empty());
}

TEST_CASE("a toolkit's libraries, the newest first") {
  const Root root;
  root.file("/usr/local/cuda-12.8/lib64/libcudart.so.12");
  root.file("/usr/local/cuda-12.8/lib64/libcublas.so.12");
  root.file("/usr/local/cuda-13.0/lib64/libcudart.so.13");
  root.file("/usr/local/cuda-13.0/lib64/libcublas.so.12");  // of another version: not for this runtime
  const auto found = root.find();
  REQUIRE(found.size() == 2);
  CHECK(found[0].runtime == root.at("/usr/local/cuda-13.0/lib64/libcudart.so.13"));
  CHECK(found[0].math.empty());
  CHECK(found[1].math == root.at("/usr/local/cuda-12.8/lib64/libcublas.so.12"));
}

TEST_CASE("a toolkit for arm64 servers keeps its libraries elsewhere") {
  const Root root;
  root.file("/usr/local/cuda-12.8/targets/sbsa-linux/lib/libcudart.so.12");
  const auto found = root.find();
  REQUIRE(found.size() == 1);
  CHECK(found[0].runtime == root.at("/usr/local/cuda-12.8/targets/sbsa-linux/lib/libcudart.so.12"));
}

TEST_CASE("PyTorch's wheels: CUDA 13 in one package, CUDA 12 in one for each library") {
  const Root root;
  root.file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcudart.so.13");
  root.file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13");
  root.file("/old/lib/python3.11/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12");
  root.file("/old/lib/python3.11/site-packages/nvidia/cublas/lib/libcublas.so.12");
  const auto found = root.find({.python = "/venv/bin/python"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].math == root.at("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13"));
  CHECK(found[0].origin == "of /venv/bin/python");
  const auto older = root.find({.python = "/old/bin/python"});
  REQUIRE(older.size() == 1);
  CHECK(older[0].math == root.at("/old/lib/python3.11/site-packages/nvidia/cublas/lib/libcublas.so.12"));
}

TEST_CASE("the run's own before LD_LIBRARY_PATH; LD_LIBRARY_PATH before any other Python's; conda; each once") {
  const Root root;
  root.file("/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcudart.so.13");
  root.file("/own/libcudart.so.13");
  root.file("/conda/lib/libcudart.so.12");
  const auto environment = [](std::string_view name) -> std::optional<std::string> {
    if (name == "LD_LIBRARY_PATH") return "/nowhere:/own";
    if (name == "CONDA_PREFIX") return "/conda";
    if (name == "VIRTUAL_ENV") return "/venv";
    return std::nullopt;
  };
  auto found = root.find({.python = "/venv/bin/python", .python_first = true, .environment = environment});
  REQUIRE(found.size() == 3);
  CHECK(found[0].origin == "of /venv/bin/python");
  CHECK(found[1].origin == "of LD_LIBRARY_PATH");
  CHECK(found[2].origin == "of conda");
  found = root.find({.python = "/venv/bin/python", .environment = environment});
  REQUIRE(found.size() == 3);
  CHECK(found[0].origin == "of LD_LIBRARY_PATH");
}

TEST_CASE("what was measured is kept for each card and driver") {
  const Root root;
  const auto folder = root.path() / "state";
  Calibration one{.uuid = "GPU-1", .name = "Card", .driver = "580.1", .runtime = "13.0", .library = "/lib", .bf16 = 3e14};
  one.measured_at = WallTime{std::chrono::milliseconds{1700000000123}};
  one.notes = {"fp16 was not measured"};
  REQUIRE(store(folder, one));
  CHECK(stored(folder, "GPU-1", "580.1") == one);
  CHECK_FALSE(stored(folder, "GPU-1", "570.1"));
  CHECK_FALSE(stored(folder, "GPU-2", "580.1"));
  CHECK_FALSE(stored({}, "GPU-1", "580.1"));
  CHECK(all_stored(folder).size() == 1);
  CHECK_FALSE(store({}, one));
}

TEST_CASE("a spoiled file is as good as none") {
  const Root root;
  const auto folder = root.path() / "state";
  REQUIRE(store(folder, {.uuid = "GPU-1", .driver = "580.1"}));
  const auto file = fs::directory_iterator{folder}->path();
  for (const auto* text : {"", "[]", "{\"uuid\": 3}", "{\"uuid\": \"GPU-2\", \"driver\": \"580.1\"}", "\xff\xfe", "{"}) {
    std::ofstream{file, std::ios::trunc} << text;
    CHECK_FALSE(stored(folder, "GPU-1", "580.1"));
  }
  std::ofstream{file, std::ios::trunc} << R"({"uuid": "GPU-1", "driver": "580.1", "bf16": -1, "fp32": "fast", "tf32": 1e12})";
  const auto kept = stored(folder, "GPU-1", "580.1");
  REQUIRE(kept);
  CHECK_FALSE(kept->bf16);
  CHECK_FALSE(kept->fp32);
  CHECK(kept->tf32 == 1e12);
}

TEST_CASE("figures for people") {
  CHECK(in_words(24.6e9, "B/s") == "24.6 GB/s");
  CHECK(in_words(312e12, "FLOP/s") == "312 TFLOP/s");
  CHECK(in_words(4.1e-6, "s") == "4.10 µs");
  CHECK(in_words(436.0 * 1048576, "B") == "436 MiB");
}

}  // namespace gputop::calibrate
