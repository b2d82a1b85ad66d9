#include "patch/run_code.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "gputop/config/text_file.hpp"

namespace gputop::patch {
namespace {

constexpr std::size_t kMostModules = 400;
constexpr std::size_t kMostTries = 20'000;
constexpr std::size_t kLargestModule = 512U * 1024U;
// Of a configuration whose command is not known.
constexpr std::array<const char*, 8> kUsualScripts{"train.py",       "main.py",           "tools/train.py",  "tools/train_net.py",
                                                   "tools/run_net.py", "scripts/train.py", "src/train.py", "run.py"};

}  // namespace

RunCode read_run_code(const std::filesystem::path& directory, std::span<const knobs::SourceFile> files) {
  RunCode found;
  std::set<std::string> known;
  std::vector<std::string> open;
  const auto look = [&](const std::string& path, const std::string& text) {
    if (knobs::format_of(path) == knobs::Format::kPython) {
      for (auto& division : knobs::rank_divisions(path, text)) {
        auto& all = found.divisions;
        const bool first = std::none_of(all.begin(), all.end(), [&](const auto& each) { return each.name == division.name; });
        if (first) all.push_back(std::move(division));
      }
      auto batch = knobs::batch_code(path, text);
      for (auto& rate : batch.rates) {
        auto& all = found.batch.rates;
        const bool first = std::none_of(all.begin(), all.end(), [&](const auto& each) { return each.name == rate.name; });
        if (first) all.push_back(std::move(rate));
      }
      if (!found.batch.nominal) found.batch.nominal = std::move(batch.nominal);
    }
    for (auto& module : knobs::modules_of(path, text)) {
      if (known.size() < kMostTries && known.insert(module).second) open.push_back(std::move(module));
    }
  };
  for (const auto& file : files) known.insert(file.path);
  for (const auto& file : files) {
    if (file.text) look(file.path, *file.text);
  }
  const bool has_code = std::any_of(files.begin(), files.end(), [](const auto& file) {
    return file.text && knobs::format_of(file.path) == knobs::Format::kPython;
  });
  if (!has_code) open.insert(open.end(), kUsualScripts.begin(), kUsualScripts.end());
  std::size_t read = 0;
  for (std::size_t i = 0; i < open.size() && read < kMostModules; ++i) {
    const auto text = read_text_file(directory / open[i], kLargestModule);
    if (!text) continue;
    ++read;
    const std::string path = open[i];  // `open` grows
    look(path, *text);
  }
  return found;
}

}  // namespace gputop::patch
