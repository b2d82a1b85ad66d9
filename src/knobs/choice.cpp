// Choosing among places: see finder.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::knobs {
namespace {

// A place this many points ahead is in force, whatever those behind it say.
constexpr int kClearlyAhead = 10;

// Why it cannot be made to say `value`; "" when it can.
std::string obstacle(const Candidate& candidate, const Value& value, bool also_shared) {
  if (!candidate.fixed.empty()) return candidate.fixed;
  if (!candidate.shared.empty() && !also_shared) return candidate.shared + " (--shared changes them all)";
  const auto saying = said(candidate.match, candidate.found, value, 1);
  return saying ? "" : saying.error().message;
}

std::string list_of(const std::vector<const Candidate*>& candidates) {
  std::string text;
  for (const auto* candidate : candidates) text += "\n  " + describe(*candidate);
  return text;
}

// "stages[1].batch_size" → "stages[].batch_size"
std::string without_numbers(std::string_view key) {
  std::string text;
  bool inside = false;
  for (const char c : key) {
    if (c == ']') inside = false;
    if (!inside) text += c;
    if (c == '[') inside = true;
  }
  return text;
}

bool is_somewhere(const Candidate& candidate) {
  return candidate.place.kind != Place::Kind::kLens;
}

}  // namespace

std::string describe(const Candidate& candidate) {
  std::string text = printable(to_string(candidate.place));
  if (candidate.place.kind == Place::Kind::kFile) text += " (line " + std::to_string(candidate.place.line) + ")";
  if (!std::holds_alternative<std::monostate>(candidate.found)) text += " = " + printable(to_text(candidate.found));
  std::string why;
  for (const auto& sentence : candidate.evidence) why += (why.empty() ? "" : "; ") + printable(sentence);
  if (!candidate.fixed.empty()) why += (why.empty() ? "" : "; ") + std::string{"cannot be changed: "} + candidate.fixed;
  if (!candidate.shared.empty()) why += (why.empty() ? "" : "; ") + candidate.shared;
  return why.empty() ? text : text + "  [" + why + "]";
}

Result<const Candidate*> choose(const Found& found, const Knob& knob, const Value& value, bool also_shared) {
  const auto all = candidates_of(found, knob.name);
  const auto can = [&](const Candidate* candidate) { return obstacle(*candidate, value, also_shared).empty(); };
  const auto best = std::find_if(all.begin(), all.end(), can);
  if (best == all.end()) {
    if (all.empty()) {
      return Error{Error::Kind::kNotFound,
                   knob.name + ": found neither on the command line nor in a file nor in the environment"};
    }
    std::string text = knob.name + " cannot be set to " + to_text(value) + ":";
    for (const auto* candidate : all)
      text += "\n  " + describe(*candidate) + ": " + obstacle(*candidate, value, also_shared);
    return Error{Error::Kind::kNotSupported, std::move(text)};
  }
  // A place that is in force but cannot be changed must not be passed over in silence.
  const Candidate& first = *all.front();
  const bool in_force = is_somewhere(first) && (!first.fixed.empty() || (!first.shared.empty() && !also_shared));
  if (in_force && first.score >= (*best)->score + kClearlyAhead) {
    return Error{Error::Kind::kNotSupported,
                 knob.name + ": " + printable(to_string(first.place)) + " is in force, and " +
                     obstacle(first, value, also_shared) +
                     "\nAll places (name one with --at PLACE to change it anyway):" + list_of(all)};
  }
  const auto next = std::find_if(best + 1, all.end(), can);
  if (next != all.end() && (*next)->score == (*best)->score && is_somewhere(**next)) {
    return Error{Error::Kind::kInvalid,
                 knob.name +
                     " is in several places, all as likely (name one with --at PLACE, or change them with --all):" +
                     list_of(all)};
  }
  return *best;
}

Result<std::vector<const Candidate*>> choose_at(const Found& found,
                                                const Knob& knob,
                                                const std::vector<std::string>& places) {
  std::vector<const Candidate*> chosen;
  const auto all = candidates_of(found, knob.name);
  for (const auto* candidate : all) {
    if (std::any_of(places.begin(), places.end(), [&](const auto& name) { return is_named(candidate->place, name); })) {
      chosen.push_back(candidate);
    }
  }
  return chosen;
}

std::vector<const Candidate*> choose_all(const Found& found,
                                         const Knob& knob,
                                         const Value& value,
                                         bool also_shared,
                                         bool all_stages) {
  std::vector<const Candidate*> chosen;
  for (const auto* candidate : candidates_of(found, knob.name)) {
    if (!obstacle(*candidate, value, also_shared).empty() || candidate->place.how == Place::How::kAbsent) continue;
    const bool fellow = all_stages && !chosen.empty() && candidate->place.file == chosen.front()->place.file &&
                        without_numbers(candidate->place.key) == without_numbers(chosen.front()->place.key);
    if (chosen.empty() || fellow || same_value(candidate->value, chosen.front()->value)) chosen.push_back(candidate);
  }
  return chosen;
}

}  // namespace gputop::knobs
