// A project's own words for a knob's values, and whose values they count: see table.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/knobs/table.hpp"

namespace gputop::knobs {
namespace {

// As a file has it: "32" is not 32, but True is true.
bool same_word(const Value& a, const Value& b) {
  if (same_value(a, b)) return true;
  const auto* whole = std::get_if<std::int64_t>(&b);
  if (const auto* on = std::get_if<bool>(&a); on != nullptr && whole != nullptr) return *whole == (*on ? 1 : 0);  // --fp16 1
  return std::holds_alternative<std::string>(a) != std::holds_alternative<std::string>(b) &&
         !std::holds_alternative<bool>(a) && !std::holds_alternative<bool>(b) && to_text(a) == to_text(b);
}

bool speaks(const Vocabulary& vocabulary, const Reading& reading) {
  return std::any_of(vocabulary.of.begin(), vocabulary.of.end(),
                     [&](const std::string& name) { return reading.frameworks.contains(name); });
}

// Those that have the word that is there: of a framework that was seen, where one of these is.
std::vector<const Vocabulary*> fitting(const Match& match, const Value& found, const Reading& reading) {
  const bool nothing = std::holds_alternative<std::monostate>(found);
  std::vector<const Vocabulary*> all;
  const auto take = [&](const Vocabulary& vocabulary) {
    if (nothing || vocabulary.meaning(found) != nullptr) all.push_back(&vocabulary);
  };
  for (const auto& vocabulary : match.alias->spelled) take(vocabulary);
  // A name whose words mean the same to everybody says nothing in the knob's plain ones.
  const bool own_words = std::any_of(all.begin(), all.end(), [](const Vocabulary* each) { return each->of.empty(); });
  if (match.knob->plain && !own_words && (all.empty() || !nothing)) take(*match.knob->plain);
  std::vector<const Vocabulary*> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [&](const Vocabulary* each) { return speaks(*each, reading); });
  if (own.empty()) own = std::move(all);
  if (nothing && own.size() > 1) own.resize(1);  // where nothing is said yet, the first manner is as good as any
  return own;
}

Error unspeakable(std::string message) {
  return {Error::Kind::kNotSupported, std::move(message)};
}

// Said as the knob itself has it: no words of its own, or a switch that is one.
bool is_plain(const Match& match, const Value& found) {
  if (match.alias == nullptr || (match.alias->spelled.empty() && !match.knob->plain)) return true;
  return match.knob->type == ValueType::kSwitch &&
         (std::holds_alternative<bool>(found) || std::holds_alternative<std::int64_t>(found));
}

Result<Value> project_word(const Match& match, const Value& found, const Value& value, const Reading& reading) {
  const auto all = fitting(match, found, reading);
  const std::string wanted = match.knob->name + " " + to_text(value);
  if (all.empty()) {
    return unspeakable("\"" + printable(to_text(found)) + "\" is not one of the words known for " + match.alias->text +
                  ": how this project spells " + wanted + " is not known");
  }
  const Value* word = nullptr;
  std::string several;
  bool missing = false;
  for (const auto* vocabulary : all) {
    const Value* saying = vocabulary->saying(to_text(value));
    if (saying == nullptr) {
      missing = true;
      continue;
    }
    if (several.find("\"" + to_text(*saying) + "\"") == several.npos) {
      several += (several.empty() ? "\"" : " or \"") + to_text(*saying) + "\"";
    }
    if (word != nullptr && !(*word == *saying)) missing = true;
    word = saying;
  }
  if (word == nullptr) return unspeakable(match.alias->text + " cannot say " + wanted);
  if (missing && all.size() > 1) {
    return unspeakable("which framework reads " + match.alias->text + " is not known, nor how it spells " + wanted +
                  " (" + several + ")");
  }
  const auto* on = std::get_if<bool>(word);
  if (on != nullptr && std::holds_alternative<std::int64_t>(found)) return Value{std::int64_t{*on ? 1 : 0}};
  return *word;
}

}  // namespace

const Value* Vocabulary::saying(std::string_view word) const {
  const auto found = std::find_if(words.begin(), words.end(), [&](const auto& pair) { return pair.first == word; });
  return found == words.end() ? nullptr : &found->second;
}

const std::string* Vocabulary::meaning(const Value& value) const {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const auto& pair) { return same_word(pair.second, value); });
  return found == words.end() ? nullptr : &found->first;
}

std::uint64_t Reading::counted_by(Whose whose) const {
  switch (whose) {
    case Whose::kRank: return 1;
    case Whose::kNode: return ranks_of_node.value_or(ranks.value_or(1));
    case Whose::kAll: return ranks.value_or(1);
  }
  return 1;
}

bool is_detail(const Match& match) {
  return match.knob->name == "precision" && match.alias != nullptr && !match.alias->spelled.empty() &&
         std::none_of(match.alias->spelled.begin(), match.alias->spelled.end(),
                      [](const Vocabulary& each) { return each.saying("fp32") != nullptr; });
}

bool is_of_weights(const Match& match) {
  return match.alias != nullptr && match.alias->text == "torch_dtype";
}

bool stands_alone(const Match& match) {
  if (match.knob->type == ValueType::kSwitch) return true;
  if (match.alias == nullptr) return false;
  const auto has_switch = [](const Vocabulary& vocabulary) {
    return std::any_of(vocabulary.words.begin(), vocabulary.words.end(),
                       [](const auto& pair) { return std::holds_alternative<bool>(pair.second); });
  };
  const auto& spelled = match.alias->spelled;
  return spelled.empty() && match.knob->plain ? has_switch(*match.knob->plain)
                                              : std::any_of(spelled.begin(), spelled.end(), has_switch);
}

bool says_switch(const Match& match, const Value& next, const Reading& reading) {
  if (!std::holds_alternative<std::string>(next)) return true;
  if (match.alias == nullptr || (match.alias->spelled.empty() && !match.knob->plain)) return false;
  return !fitting(match, next, reading).empty();
}

Value meant(const Match& match, const Value& found, const Reading& reading) {
  Value value = found;
  if (const auto* word = std::get_if<std::string>(&found); word != nullptr && match.knob->type != ValueType::kWord) {
    value = read_scalar(*word, Dialect::kWords);  // "32" in quotes
  }
  if (!is_plain(match, found)) {
    if (std::holds_alternative<std::monostate>(found)) return found;
    const auto all = fitting(match, found, reading);
    if (all.empty()) return value;
    const std::string& word = *all.front()->meaning(found);
    return match.knob->type == ValueType::kSwitch ? Value{word == "true"} : Value{word};
  }
  if (const auto together = static_cast<std::int64_t>(reading.counted_by(match.counts())); together > 1) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
      if (*whole % together == 0) return *whole / together;
      return static_cast<double>(*whole) / static_cast<double>(together);
    }
  }
  if (match.knob->type == ValueType::kSwitch) {
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && (*whole == 0 || *whole == 1)) {
      return *whole == 1;
    }
  }
  return value;
}

Result<Value> said(const Match& match, const Value& found, const Value& value, const Reading& reading) {
  if (match.knob->read_only) return unspeakable(match.knob->name + " is only looked at, never changed");
  if (!is_plain(match, found)) return project_word(match, found, value, reading);
  if (const auto together = static_cast<std::int64_t>(reading.counted_by(match.counts())); together > 1) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return Value{*whole * together};
  }
  return value;
}

}  // namespace gputop::knobs
