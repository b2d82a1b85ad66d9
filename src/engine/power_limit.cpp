#include "engine/power_limit.hpp"

#include <unistd.h>

#include <charconv>
#include <chrono>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/base/answer.hpp"
#include "gputop/tuning/change_question.hpp"

namespace gputop {
namespace {

constexpr std::chrono::seconds kPatience{10};  // a driver that has to be loaded first takes some
constexpr const char* kProgram = "nvidia-smi";

// Whole watts.
Reading<std::int64_t> watts_of(const std::string& text) {
  std::int64_t watts = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), watts);
  const bool whole = std::string_view{end, static_cast<std::size_t>(text.data() + text.size() - end)}.empty();
  if (problem != std::errc{} || !whole || watts <= 0 || watts > 10'000) return std::nullopt;
  return watts;
}

std::string command_of(const knobs::ValueChange& item) {
  return std::string{kProgram} + " -i " + item.place.key + " -pl " + knobs::to_text(item.to);
}

Status set_one(const knobs::ValueChange& item) {
  const auto answer = answer_of({kProgram, "-i", item.place.key, "-pl", knobs::to_text(item.to)}, kPatience);
  if (!answer)
    return Error{Error::Kind::kTimeout, command_of(item) + " could not be run, or did not end within " + std::to_string(kPatience.count()) + " s"};
  if (answer->find("was set to") != std::string::npos) return success();
  const auto line = printable(answer->substr(0, answer->find('\n')));
  return Error{Error::Kind::kInvalid, command_of(item) + ": " + (line.empty() ? "it did not say that the limit was set" : line)};
}

knobs::ValueChange reversed(knobs::ValueChange item) {
  std::swap(item.from, item.to);
  return item;
}

}  // namespace

bool is_power_limit(const std::vector<Change>& changes) {
  return changes.size() == 1 && changes.front().knob == kPowerLimit;
}

Result<knobs::ChangeSet> plan_power_limit(const std::string& to, const Facts& facts, const std::vector<std::string>& argv) {
  const auto watts = watts_of(to);
  if (!watts) return Error{Error::Kind::kInvalid, "power_limit: \"" + printable(to) + "\" is not a whole number of watts"};
  knobs::ChangeSet change{.argv_before = argv, .argv_after = argv};
  for (const auto& gpu : facts.gpus) {
    if (!gpu.used_by_run) continue;
    if (!gpu.power_limit || gpu.power_limit->value() <= 0)
      return Error{Error::Kind::kNotSupported, "the power limit of GPU " + std::to_string(gpu.index) +
                                                   " is unknown, so it could not be taken back: nothing was changed"};
    const auto now = saturate_rounded<std::int64_t>(gpu.power_limit->value());
    if (now == *watts) continue;
    change.changes.push_back({.knob = kPowerLimit,
                              .place = {.kind = knobs::Place::Kind::kGpu, .key = std::to_string(gpu.index)},
                              .from = now,
                              .to = *watts});
    change.notes.push_back(command_of(change.changes.back()) + "; it stays after the run, until it is set again or the machine restarts");
  }
  if (change.empty()) return Error{Error::Kind::kInvalid, "nothing to change: no GPU of this run has another power limit"};
  if (geteuid() != 0)
    return Error{Error::Kind::kPermission, "only root may set a power limit: sudo " + command_of(change.changes.front())};
  return change;
}

Status set_power_limit(const knobs::ChangeSet& change) {
  for (auto item = change.changes.begin(); item != change.changes.end(); ++item) {
    const auto set = set_one(*item);
    if (set) continue;
    std::string why = set.error().message;
    for (auto before = change.changes.begin(); before != item; ++before) {
      if (const auto back = set_one(reversed(*before)); !back) why += "; " + back.error().message;
    }
    return Error{set.error().kind, why};
  }
  return success();
}

}  // namespace gputop
