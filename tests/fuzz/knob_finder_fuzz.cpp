// libFuzzer: any command line and any files; whatever is found can be described, chosen and planned without a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gputop/config/assets.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/knobs/change_set.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  static const auto table = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml").table;
  // The first line is the command, its words apart by spaces; the rest are the files that are asked for, in turn.
  const std::string text{reinterpret_cast<const char*>(data), size};
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == '\f') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  knobs::RunCommand run{.argv = {"python"}, .environment = {}};
  std::string word;
  for (const char c : parts[0] + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    run.argv.push_back(std::exchange(word, {}));
  }
  std::vector<knobs::SourceFile> files;
  std::size_t next = 1;
  auto found = knobs::find_knobs(table, run, files, {});
  for (int round = 0; round < 4 && !found.wanted.empty(); ++round) {
    for (const auto& wanted : found.wanted) {
      files.push_back({wanted.path, next < parts.size() ? std::optional{parts[next++]} : std::nullopt});
    }
    found = knobs::find_knobs(table, run, files, {});
  }
  for (const auto& candidate : found.candidates) static_cast<void>(knobs::describe(candidate));
  for (const char* setting :
       {"batch_size=48", "workers=4", "precision=amp-bf16", "learning_rate=0.5", "pin_memory=false"}) {
    for (const auto policy : {knobs::BatchPolicy::kKeepEffective, knobs::BatchPolicy::kScale}) {
      const knobs::ChangeRequest request{.settings = {*knobs::parse_setting(table, setting)}, .policy = policy};
      const auto change = knobs::plan_change(table, run, files, found, {}, request);
      if (!change) continue;
      static_cast<void>(knobs::diff_text(*change));
      const auto back = knobs::inverse(*change);
      if (back.argv_after != run.argv) std::abort();
    }
  }
  return 0;
}
