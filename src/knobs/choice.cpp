// Choosing among places: see finder.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/knobs/finder.hpp"

namespace gputop::knobs {
namespace {

// Why it cannot be made to say `value`; "" when it can.
std::string obstacle(const Found& found, const Candidate& candidate, const Value& value, bool also_shared) {
  if (!candidate.fixed.empty()) return candidate.fixed;
  if (!candidate.shared.empty() && !also_shared) return candidate.shared + " (--shared changes them all)";
  const auto saying = said(candidate.match, candidate.found, value, found.reading);
  if (!saying) return saying.error().message;
  const std::string taken = ", " + candidate.choices + ",";
  const bool fits = candidate.choices.empty() || taken.find(" " + to_text(*saying) + ",") != taken.npos;
  return fits ? "" : "the script takes only " + printable(candidate.choices);
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

constexpr std::string_view kLensCan =
    "The lens (gputop's own module inside a PyTorch run) can override it: gputop -- CMD, then a";

// "fp16:" in a file, without a value.
bool is_empty(const Candidate& candidate) {
  return candidate.place.kind == Place::Kind::kFile && candidate.place.how == Place::How::kReplace &&
         candidate.fixed.empty() && std::holds_alternative<std::monostate>(candidate.found);
}

bool is_switch(const Candidate& candidate) {
  return std::holds_alternative<bool>(candidate.found);
}

// Beside each other: flags of one command line, keys of one file.
bool is_fellow(const Candidate& a, const Candidate& b) {
  return &a != &b && a.place.kind == b.place.kind && a.place.file == b.place.file &&
         a.place.kind != Place::Kind::kEnvironment;
}

std::string other_ways(const std::vector<const Candidate*>& all, const Candidate& first) {
  std::string text;
  for (const auto* candidate : all) {
    if (candidate->place.kind == Place::Kind::kLens) {
      text = "\n" + std::string{kLensCan};
    }
  }
  std::vector<const Candidate*> others;
  std::copy_if(all.begin(), all.end(), std::back_inserter(others), [&](const Candidate* candidate) {
    return candidate != &first && is_somewhere(*candidate) && candidate->place.how != Place::How::kAbsent;
  });
  if (others.empty()) return text;
  return text + "\nOther places (name one with --at PLACE to change it all the same):" + list_of(others);
}

}  // namespace

std::string describe(const Candidate& candidate) {
  std::string text = printable(in_words(candidate.place));
  if (candidate.place.kind == Place::Kind::kFile && candidate.place.line > 0) text += " (line " + std::to_string(candidate.place.line) + ")";
  const bool of_several = candidate.match.counts() != Whose::kRank && as_number(candidate.value) &&
                          !same_value(candidate.value, candidate.found);
  if (of_several) {
    text += " = " + to_text(candidate.value) + " per GPU (" + printable(to_text(candidate.found)) + " for all together)";
  } else if (!std::holds_alternative<std::monostate>(candidate.found)) {
    text += " = " + printable(to_text(candidate.found));
  }
  std::string why;
  for (const auto& sentence : candidate.evidence) why += (why.empty() ? "" : "; ") + printable(sentence);
  if (!candidate.fixed.empty()) why += (why.empty() ? "" : "; ") + std::string{"cannot be changed: "} + candidate.fixed;
  const auto& said = candidate.evidence;
  const bool told = std::find(said.begin(), said.end(), candidate.shared) != said.end();
  if (!candidate.shared.empty() && !told) why += (why.empty() ? "" : "; ") + candidate.shared;
  return why.empty() ? text : text + "  [" + why + "]";
}

bool is_there(const Candidate& candidate) {
  if (!is_somewhere(candidate)) return false;
  if (candidate.place.how != Place::How::kAbsent || candidate.overrides) return true;
  return candidate.place.kind == Place::Kind::kArgument && candidate.score > 0;  // declared: it has a default
}

const Candidate* in_force(const Found& found, std::string_view knob) {
  const Candidate* silent = nullptr;
  for (const auto* candidate : candidates_of(found, knob)) {
    if (!is_there(*candidate)) continue;
    if (!candidate->defers && !is_empty(*candidate)) return candidate;
    if (silent == nullptr) silent = candidate;
  }
  return silent;
}

Result<const Candidate*> choose(const Found& found, const Knob& knob, const Value& value, bool also_shared, bool with_lens) {
  const auto all = candidates_of(found, knob.name);
  const auto can = [&](const Candidate* candidate) { return obstacle(found, *candidate, value, also_shared).empty(); };
  const Candidate* first = in_force(found, knob.name);
  if (first == nullptr) {  // the lens, a variable that is not set, a key that the framework reads
    const auto fits = [&](const Candidate* candidate) { return can(candidate) && (with_lens || is_somewhere(*candidate)); };
    const auto other = std::find_if(all.begin(), all.end(), fits);
    const auto rival = other == all.end() ? other : std::find_if(other + 1, all.end(), fits);
    if (rival != all.end() && (*rival)->score == (*other)->score && (*rival)->match.alias == (*other)->match.alias) {
      return Error{Error::Kind::kInvalid, knob.name + " could be added in several places (name one with --at PLACE):" +
                                              list_of({*other, *rival})};
    }
    if (other != all.end()) return *other;
    const bool lens = std::any_of(all.begin(), all.end(), [](const Candidate* each) { return !is_somewhere(*each); });
    if (lens) {
      return Error{Error::Kind::kNotFound,
                   knob.name + " was found neither on the command line nor in a file. " + std::string{kLensCan}};
    }
    return Error{Error::Kind::kNotFound,
                 knob.name + ": found neither on the command line nor in a file nor in the environment"};
  }
  // What is in force is changed, or nothing: a base that is overridden, a default that nobody reads and the like say
  // nothing to this run. Only a fellow that says the same thing in other words may take its place (bf16 for fp16).
  const Candidate* best = first;
  if (is_detail(first->match)) {  // amp_dtype says nothing where amp can say it
    const auto whole = std::find_if(all.begin(), all.end(), [&](const Candidate* other) {
      return is_fellow(*first, *other) && !is_detail(other->match) && other->score == first->score && can(other);
    });
    if (whole != all.end()) best = first = *whole;
  }
  // What it says now must be understood: beside an fp16 of unknown meaning nothing else is switched.
  const bool understood = std::holds_alternative<std::monostate>(first->value) || check_value(knob, first->value);
  if (!can(first) && understood && first->fixed.empty() && (first->shared.empty() || also_shared)) {
    const auto fellow = std::find_if(all.begin(), all.end(), [&](const Candidate* other) {
      return is_fellow(*first, *other) && can(other);
    });
    if (fellow != all.end()) best = *fellow;
  }
  if (!can(best)) {
    return Error{Error::Kind::kNotSupported,
                 knob.name + " cannot be set to " + to_text(value) + ": " + printable(in_words(first->place)) +
                     " is in force, and " + obstacle(found, *first, value, also_shared) + other_ways(all, *first)};
  }
  for (const auto* other : all) {
    const bool rival = other != best && other->score == best->score && is_somewhere(*other) && !other->defers &&
                       !is_empty(*other);
    if (!rival || is_detail(other->match) || (!can(other) && other->fixed.empty())) continue;
    if (is_fellow(*best, *other) && is_switch(*best) && is_switch(*other)) {
      if (same_value(best->value, value) && !same_value(other->value, value)) best = other;
      continue;
    }
    return Error{Error::Kind::kInvalid,
                 knob.name +
                     " is in several places, all as likely (name one with --at PLACE, or change them with --all):" +
                     list_of(all)};
  }
  for (const auto* other : all) {
    if (other == best || !other->agrees || other->defers || other->place.file == best->place.file) continue;
    if (same_value(other->value, value)) continue;
    return Error{Error::Kind::kNotSupported,
                 knob.name + " is at " + printable(in_words(best->place)) + " and at " +
                     printable(in_words(other->place)) + " (" + printable(to_text(other->found)) +
                     "), which must agree: change both with --all, or write \"auto\" in the second first"};
  }
  return best;
}

Result<std::vector<const Candidate*>> choose_at(const Found& found,
                                                const Knob& knob,
                                                const std::vector<std::string>& places) {
  std::vector<const Candidate*> chosen;
  const auto all = candidates_of(found, knob.name);
  for (const auto& name : places) {
    for (const auto how : {Naming::kWhole, Naming::kFile, Naming::kSection}) {
      std::vector<const Candidate*> fitting;
      std::copy_if(all.begin(), all.end(), std::back_inserter(fitting),
                   [&](const Candidate* candidate) { return is_named(candidate->place, name, how); });
      if (fitting.empty()) continue;
      const bool exact = std::any_of(fitting.begin(), fitting.end(),
                                     [&](const Candidate* candidate) { return to_string(candidate->place) == name; });
      if (fitting.size() > 1 && !exact) {
        return Error{Error::Kind::kInvalid,
                     "\"" + printable(name) + "\" is set in several places (name one exactly as shown here):" +
                         list_of(fitting)};
      }
      chosen.insert(chosen.end(), fitting.begin(), fitting.end());
      break;
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
    if (!obstacle(found, *candidate, value, also_shared).empty() || candidate->place.how == Place::How::kAbsent) continue;
    const bool fellow = all_stages && !chosen.empty() && candidate->place.kind == chosen.front()->place.kind &&
                        without_numbers(candidate->place.key) == without_numbers(chosen.front()->place.key);
    const bool follows = candidate->agrees && !candidate->defers;
    if (chosen.empty() || fellow || follows || same_value(candidate->value, chosen.front()->value)) {
      chosen.push_back(candidate);
    }
  }
  return chosen;
}

}  // namespace gputop::knobs
