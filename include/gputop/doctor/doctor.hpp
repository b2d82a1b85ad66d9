// gputop doctor: one check per file (src/doctor/checks), with one line each in checks.def.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/doctor/machine.hpp"

namespace gputop::doctor {

enum class Level { kOk, kUnknown, kWarn, kBad };
std::string_view to_string(Level level);  // "ok", "unknown", "warn", "bad"

struct Verdict {
  Level level = Level::kUnknown;
  std::string found;        // what was seen; for kUnknown: why it is unknown
  std::string cost;         // what it costs a training run; "" if nothing is wrong
  std::string fix;          // a command or a step; "" if there is none
  bool needs_root = false;  // the fix does
};

struct Examined {
  std::string_view id;
  std::string_view title;
  Verdict verdict;
};

// Every check's id, in the order of checks.def.
std::vector<std::string_view> check_ids();

// Runs the checks named in `only` (all if it is empty). An unknown name is an error that suggests the closest one.
Result<std::vector<Examined>> examine(const Machine& machine, std::span<const std::string> only = {});

std::string as_text(std::span<const Examined> results);  // worst first
std::string as_json(std::span<const Examined> results);  // schema gputop.doctor/1

}  // namespace gputop::doctor
