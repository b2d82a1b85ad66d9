// Where libcudart and libcublas may be: see calibrate.hpp. Loads nothing.
#include <algorithm>
#include <cctype>
#include <system_error>

#include "gputop/calibrate/calibrate.hpp"

namespace gputop::calibrate {
namespace {

namespace fs = std::filesystem;

class Search {
 public:
  explicit Search(const SearchOptions& options) : options_(options) {}

  void folder(const fs::path& path, const std::string& origin) {
    std::vector<fs::path> runtimes;
    for (const auto& file : entries(path)) {
      if (file.filename().string().starts_with("libcudart.so.")) runtimes.push_back(file);
    }
    std::sort(runtimes.begin(), runtimes.end(), [](const auto& a, const auto& b) { return major(a) > major(b); });
    for (const auto& file : runtimes) add(file, origin);
  }

  // The folders in a Python's site-packages where NVIDIA's wheels put their libraries.
  void packages(const fs::path& site, const std::string& origin) {
    for (const auto& part : entries(site / "nvidia")) folder(part / "lib", origin);
    folder(site / "torch" / "lib", origin);
  }

  void prefix(const fs::path& place, const std::string& origin) {
    if (place.empty()) return;
    for (const auto& lib : {place / "lib", place / "local" / "lib", place / "lib64"}) {
      for (const auto& python : entries(lib)) {
        if (!python.filename().string().starts_with("python")) continue;
        packages(python / "site-packages", origin);
        packages(python / "dist-packages", origin);
      }
      folder(lib, origin);
    }
    for (const auto* machine : {"x86_64-linux", "sbsa-linux", "aarch64-linux"}) folder(place / "targets" / machine / "lib", origin);
  }

  [[nodiscard]] std::string variable(std::string_view name) const {
    return options_.environment ? options_.environment(name).value_or("") : "";
  }

  // Below the root that tests can choose.
  [[nodiscard]] fs::path real(const fs::path& path) const {
    return path.empty() || options_.root == "/" ? path : options_.root / path.relative_path();
  }

  [[nodiscard]] std::vector<fs::path> entries(const fs::path& folder) const {
    std::vector<fs::path> all;
    std::error_code error;
    for (fs::directory_iterator at{real(folder), error}, end; !error && at != end; at.increment(error)) {
      all.push_back(folder / at->path().filename());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  std::vector<CudaLibraries> done() { return std::move(found_); }

 private:
  static int major(const fs::path& file) {
    const auto name = file.filename().string();
    const auto at = name.find(".so.");
    return at == std::string::npos ? 0 : std::atoi(name.c_str() + at + 4);
  }

  void add(const fs::path& file, const std::string& origin) {
    std::error_code error;
    const auto canonical = fs::canonical(real(file), error);
    if (error || std::find(seen_.begin(), seen_.end(), canonical) != seen_.end()) return;
    seen_.push_back(canonical);
    found_.push_back({real(file), math_for(file), origin});
  }

  // Next to it, or, in wheels of CUDA 12, in a package folder of its own.
  [[nodiscard]] fs::path math_for(const fs::path& runtime) const {
    const auto name = "libcublas.so." + std::to_string(major(runtime));
    const auto here = runtime.parent_path();
    for (const auto& candidate : {here / name, here.parent_path().parent_path() / "cublas" / "lib" / name}) {
      std::error_code error;
      if (fs::exists(real(candidate), error)) return real(candidate);
    }
    return {};
  }

  const SearchOptions& options_;
  std::vector<CudaLibraries> found_;
  std::vector<fs::path> seen_;
};

void look_in_list(Search& search, const std::string& list, const std::string& origin) {
  for (std::size_t begin = 0; begin < list.size();) {
    const auto end = std::min(list.find(':', begin), list.size());
    if (end > begin) search.folder(list.substr(begin, end - begin), origin);
    begin = end + 1;
  }
}

}  // namespace

std::vector<CudaLibraries> find_cuda(const SearchOptions& options) {
  Search search{options};
  const auto of_python = [&] {
    if (options.python.empty()) return;
    search.prefix(options.python.parent_path().parent_path(), "of " + options.python.string());
  };
  if (options.python_first) of_python();
  look_in_list(search, search.variable("LD_LIBRARY_PATH"), "of LD_LIBRARY_PATH");
  of_python();
  search.prefix(search.variable("VIRTUAL_ENV"), "of the virtual environment");
  search.prefix(search.variable("CONDA_PREFIX"), "of conda");
  for (const auto* name : {"CUDA_HOME", "CUDA_PATH"}) search.prefix(search.variable(name), std::string{"of "} + name);
  if (const auto home = search.variable("HOME"); !home.empty()) search.prefix(home + "/.local", "of the user's Python");
  auto toolkits = search.entries("/usr/local");
  std::reverse(toolkits.begin(), toolkits.end());  // cuda-13.0 before cuda-12.8
  for (const auto& toolkit : toolkits) {
    if (toolkit.filename().string().starts_with("cuda")) search.prefix(toolkit, "of the CUDA toolkit");
  }
  search.prefix("/opt/cuda", "of the CUDA toolkit");
  search.prefix("/usr/local", "of the system");
  search.prefix("/usr", "of the system");
  for (const auto* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) search.folder(folder, "of the system");
  return search.done();
}

}  // namespace gputop::calibrate
