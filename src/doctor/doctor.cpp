#include "gputop/doctor/doctor.hpp"

#include <algorithm>
#include <array>

#include "doctor/checks.hpp"
#include "gputop/core/closest_word.hpp"

namespace gputop::doctor {
namespace {

struct Check {
  std::string_view id;
  std::string_view title;
  Verdict (*look)(const Machine&);
};

constexpr std::array kChecks{
#define CHECK(id, title) Check{#id, title, checks::id},
#include "doctor/checks.def"
#undef CHECK
};

}  // namespace

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kOk: return "ok";
    case Level::kUnknown: return "unknown";
    case Level::kWarn: return "warn";
    case Level::kBad: return "bad";
  }
  return "unknown";
}

std::vector<std::string_view> check_ids() {
  std::vector<std::string_view> ids;
  for (const auto& check : kChecks) ids.push_back(check.id);
  return ids;
}

Result<std::vector<Examined>> examine(const Machine& machine, std::span<const std::string> only) {
  const auto ids = check_ids();
  for (const auto& name : only) {
    if (std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
    const auto closest = closest_word(name, ids);
    std::string all;
    for (const auto id : ids) all += (all.empty() ? "" : ", ") + std::string{id};
    return Error{Error::Kind::kInvalid,
                 "--only: there is no check \"" + name + "\"" +
                     (closest ? " (did you mean " + std::string{*closest} + "?)" : "; the checks are " + all)};
  }
  std::vector<Examined> results;
  for (const auto& check : kChecks) {
    if (!only.empty() && std::find(only.begin(), only.end(), check.id) == only.end()) continue;
    results.push_back({check.id, check.title, check.look(machine)});
  }
  return results;
}

}  // namespace gputop::doctor
