// Names and their meaning: see table.hpp.
#include "gputop/knobs/table.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/characters.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/numbers.hpp"
#include "knobs/paths.hpp"

namespace gputop::knobs {
namespace {

bool has_word(const std::vector<std::string>& words, const std::vector<std::string>& path) {
  for (const auto& part : path) {
    for (const auto& word : words_of(part)) {
      if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    }
  }
  return false;
}

bool holds_any(const std::set<std::string>& names, const std::vector<std::string>& some) {
  return std::any_of(some.begin(), some.end(), [&](const std::string& name) { return names.contains(name); });
}

// lr_temporal has the word "lr"; lr_decay has it, too, and means something else.
bool is_among_words(const Knob& knob, const Alias& alias, std::string_view key) {
  const auto words = words_of(key);
  if (std::search(words.begin(), words.end(), alias.parts.begin(), alias.parts.end()) == words.end()) return false;
  return std::none_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(knob.not_beside.begin(), knob.not_beside.end(), word) != knob.not_beside.end();
  });
}

bool ends_with(const std::vector<std::string>& path, const std::vector<std::string>& parts) {
  return parts.size() <= path.size() && std::equal(parts.rbegin(), parts.rend(), path.rbegin());
}

std::string limits(const Knob& knob) {
  std::string text;
  if (knob.least) text += " from " + shortest(*knob.least);
  if (knob.most) text += " to " + shortest(*knob.most);
  return text;
}

Error wrong_value(const Knob& knob, const Value& value) {
  std::string text = knob.name + ": \"" + printable(to_text(value)) + "\" is not ";
  switch (knob.type) {
    case ValueType::kInteger: text += "a whole number" + limits(knob); break;
    case ValueType::kNumber: text += "a number" + limits(knob); break;
    case ValueType::kSwitch: text += "true or false"; break;
    case ValueType::kWord: {
      text += "one of";
      for (const auto& word : knob.words) text += " " + word;
      break;
    }
  }
  return {Error::Kind::kInvalid, std::move(text)};
}

}  // namespace

const Knob* KnobTable::find(std::string_view name) const {
  const auto found = std::find_if(knobs.begin(), knobs.end(), [&](const Knob& knob) { return knob.name == name; });
  return found == knobs.end() ? nullptr : &*found;
}

std::string simplified(std::string_view name) {
  std::string text;
  for (const char c : slice(name, 0, name.find('#'))) {
    if (c == '_' || c == '-') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = '\0';
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if ((!is_alpha(c) && !words.back().empty()) || (upper && is_lower(before))) words.emplace_back();
    if (is_alpha(c)) words.back() += static_cast<char>(upper ? c - 'A' + 'a' : c);
    before = c;
  }
  return words;
}

std::optional<Match> match(const KnobTable& table,
                           const std::vector<std::string>& keys,
                           const std::set<std::string>& names) {
  std::vector<std::string> path;  // "train.batch_size: 8" is "train: {batch_size: 8}"
  for (const auto& key : keys) {
    for (auto& part : split(key, '.')) path.push_back(std::move(part));
  }
  // Of a list's item the list's name counts; what a call is given, or a subscript, has no name of its own.
  auto last = path.rbegin();
  while (last != path.rend() && last->starts_with('[')) ++last;
  const auto dead_call = [&](const std::string& part) {
    return part.ends_with("()") && std::find(table.dead_calls.begin(), table.dead_calls.end(),
                                             slice(part, 0, part.size() - 2)) != table.dead_calls.end();
  };
  if (last == path.rend() || std::any_of(path.begin(), path.end(), dead_call) || last->ends_with("()") || last->starts_with('-') ||
      std::find(path.begin(), path.end(), "[]") != path.end()) {
    return std::nullopt;
  }
  std::vector<std::string> parts;
  for (const auto& part : path) {
    if (!part.starts_with('[') && !part.ends_with("()")) parts.push_back(simplified(part));
  }
  if (has_word(table.dead_sections, {path.begin(), path.end() - 1})) return std::nullopt;
  const bool other_section = has_word(table.other_sections, path);
  std::optional<Match> best;
  for (const auto& knob : table.knobs) {
    if (knob.in_other_sections != other_section) continue;
    bool otherwise = false;  // base_lr beside max_lr is no "lr" with a word in front
    for (const auto& alias : knob.names) {
      if (alias.among_words) {
        if (!best && !otherwise && is_among_words(knob, alias, *last)) best = Match{&knob, &alias};
        continue;
      }
      if (!ends_with(parts, alias.parts)) continue;
      if (holds_any(names, alias.unless)) {
        otherwise = true;
        continue;
      }
      if (!alias.only_with.empty() && !holds_any(names, alias.only_with)) continue;
      if (!best || best->alias->among_words || alias.parts.size() > best->alias->parts.size())
        best = Match{&knob, &alias};
    }
  }
  return best;
}

const Knob* resolve(const KnobTable& table, std::string_view name) {
  if (const Knob* knob = table.find(name)) return knob;
  const auto found = match(table, split(name, '.'));
  if (found) return found->knob;
  for (const auto& knob : table.knobs) {
    const auto& variables = knob.environment;
    if (std::find(variables.begin(), variables.end(), name) != variables.end()) return &knob;
  }
  return nullptr;
}

Result<Setting> parse_setting(const KnobTable& table, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    return Error{Error::Kind::kInvalid, "\"" + printable(text) + "\" is not a change (try batch_size=48)"};
  }
  const auto name = slice(text, 0, equals);
  const Knob* knob = resolve(table, name);
  if (knob == nullptr) {
    std::vector<std::string_view> names;
    for (const auto& known : table.knobs) names.push_back(known.name);
    std::string all;
    for (const auto known : names) all += (all.empty() ? "" : ", ") + std::string{known};
    const auto hint = did_you_mean(name, names);
    return Error{Error::Kind::kInvalid,
                 "unknown knob \"" + printable(name) + "\"" + (hint.empty() ? " (known: " + all + ")" : hint)};
  }
  auto value = check_value(*knob, read_scalar(slice(text, equals + 1), Dialect::kWords));
  if (!value) return value.error();
  return Setting{knob->name, *std::move(value)};
}

Result<Value> check_value(const Knob& knob, const Value& value) {
  const auto number = as_number(value);
  const auto within = [&] { return *number >= knob.least.value_or(*number) && *number <= knob.most.value_or(*number); };
  switch (knob.type) {
    case ValueType::kInteger:
      if (!number || *number != std::floor(*number) || std::abs(*number) > 9e15 || !within()) break;
      return Value{static_cast<std::int64_t>(*number)};
    case ValueType::kNumber:
      if (!number || !within()) break;
      return Value{*number};
    case ValueType::kSwitch:
      if (const auto* on = std::get_if<bool>(&value)) return Value{*on};
      if (number && (*number == 0 || *number == 1)) return Value{*number == 1};
      break;
    case ValueType::kWord: {
      if (knob.words.empty() && std::holds_alternative<bool>(value))
        return value;  // of a place that takes words and switches
      if (knob.plain) {
        if (const auto* meaning = knob.plain->meaning(value)) return Value{*meaning};
      }
      const std::string word = to_text(value);
      const bool known =
          knob.words.empty() || std::find(knob.words.begin(), knob.words.end(), word) != knob.words.end();
      if (known && !word.empty()) return Value{word};
      break;
    }
  }
  return wrong_value(knob, value);
}

}  // namespace gputop::knobs
