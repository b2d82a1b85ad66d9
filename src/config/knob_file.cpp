// Loading the table of knobs: see knob_file.hpp.
#include "gputop/config/knob_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "gputop/config/assets.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop {
namespace {

using knobs::Alias;
using knobs::Entry;
using knobs::Knob;
using knobs::KnobTable;
using knobs::ValueType;

constexpr std::array<std::string_view, 8> kTopKeys{"config_flags", "config_modules", "other_sections", "dead_sections",
                                                   "dead_calls",   "frameworks",     "adds",           "knobs"};
constexpr std::array<std::string_view, 19> kKnobKeys{
    "about",      "type",   "least",   "most",  "words",       "names",           "node_names", "total_names", "word_names",
    "not_beside", "unless", "spelled", "flags", "environment", "set_environment", "lens",       "other",       "read_only",
    "estimate"};

using Complaint = std::optional<std::string>;

void add_once(std::vector<std::string>& list, std::string word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(std::move(word));
}

Alias make_alias(std::string_view text) {
  Alias alias{.parts = {}, .text = std::string{text}};
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find('.', begin), text.size());
    alias.parts.push_back(knobs::simplified(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return alias;
}

Alias* find_alias(Knob& knob, std::string_view text) {
  const auto parts = make_alias(text).parts;
  const auto found = std::find_if(knob.names.begin(), knob.names.end(),
                                  [&](const Alias& a) { return !a.among_words && a.parts == parts; });
  return found == knob.names.end() ? nullptr : &*found;
}

Complaint take_type(Knob& knob, const std::string& text) {
  if (text == "integer") return knob.type = ValueType::kInteger, std::nullopt;
  if (text == "number") return knob.type = ValueType::kNumber, std::nullopt;
  if (text == "switch") return knob.type = ValueType::kSwitch, std::nullopt;
  if (text == "word") return knob.type = ValueType::kWord, std::nullopt;
  return "\"" + printable(text) + "\" is none of integer, number, switch, word";
}

Complaint take_limit(std::optional<double>& limit, const Entry& entry) {
  limit = knobs::as_number(entry.value);
  return limit ? std::nullopt : Complaint{"\"" + printable(knobs::to_text(entry.value)) + "\" is not a number"};
}

Complaint take_flag(bool& flag, const Entry& entry) {
  const auto* on = std::get_if<bool>(&entry.value);
  if (on == nullptr) return "\"" + printable(knobs::to_text(entry.value)) + "\" is neither true nor false";
  flag = *on;
  return std::nullopt;
}

Complaint take_unless(Alias& alias, const std::string& text) {
  const bool only = text.starts_with('!');
  add_once(only ? alias.only_with : alias.unless, knobs::simplified(only ? text.substr(1) : text));
  return std::nullopt;
}

bool is_item(const std::string& part) {
  return part.starts_with('[');
}

// spelled.NAME.WORD, or spelled.NAME[N].WORD if there are several spellings; lists are other words for the same value.
Complaint take_spelled(const Knob& knob, Alias& alias, const Entry& entry) {
  std::size_t at = 4;
  std::size_t manner = 0;
  if (at < entry.path.size() && is_item(entry.path[at])) {
    const std::string& item = entry.path[at];
    std::from_chars(item.data() + 1, item.data() + item.size(), manner);
    constexpr std::size_t kMostManners = 32;
    manner = std::min(manner, kMostManners);
    ++at;
  }
  if (at >= entry.path.size()) return "expects {word: spelling}";
  const std::string& word = entry.path[at];
  if (alias.spelled.size() <= manner) alias.spelled.resize(manner + 1);
  auto& vocabulary = alias.spelled[manner];
  if (word == "of") return add_once(vocabulary.of, knobs::to_text(entry.value)), std::nullopt;
  const bool known = knob.type == ValueType::kSwitch
                         ? word == "true" || word == "false"
                         : std::find(knob.words.begin(), knob.words.end(), word) != knob.words.end();
  if (!known) return "\"" + printable(word) + "\" is not among the words above";
  vocabulary.words.emplace_back(word, entry.value);
  return std::nullopt;
}

// unless and spelled, which belong to one alias.
Complaint take_about_name(Knob& knob, const Entry& entry, const std::string& key, const std::string& name) {
  if (name == "*") {
    if (entry.path.size() < 5) return "expects {word: spelling}";
    if (!knob.plain) knob.plain.emplace();
    knob.plain->words.emplace_back(entry.path[4], entry.value);
    return std::nullopt;
  }
  Alias* alias = find_alias(knob, name);
  if (alias == nullptr) return "\"" + printable(name) + "\" is not among the names above";
  return key == "unless" ? take_unless(*alias, knobs::to_text(entry.value)) : take_spelled(knob, *alias, entry);
}

// "key:n_layer key:n_head": all of them must be there.
Complaint take_sign(KnobTable& table, const std::string& framework, const std::string& text) {
  knobs::FrameworkSign sign{.framework = framework, .keys = {}, .texts = {}, .words = {}};
  constexpr std::array<std::string_view, 3> kKinds{"key:", "text:", "word:"};
  std::size_t at = 0;
  while (at < text.size()) {
    const auto* kind = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](std::string_view each) { return text.compare(at, each.size(), each) == 0; });
    if (kind == kKinds.end()) return "\"" + printable(text) + "\" is none of key:NAME, text:BYTES, word:WORD";
    std::size_t end = text.size();
    for (const auto next : kKinds) end = std::min(end, text.find(" " + std::string{next}, at));
    const std::string what = text.substr(at + kind->size(), end - at - kind->size());
    if (*kind == "key:") sign.keys.push_back(what);
    if (*kind == "text:") sign.texts.push_back(what);
    if (*kind == "word:") sign.words.push_back(what);
    at = end + 1;
  }
  table.frameworks.push_back(std::move(sign));
  return std::nullopt;
}

// An entry below knobs.NAME.
Complaint take_knob_entry(Knob& knob, const Entry& entry) {
  const std::string& key = entry.path[2];
  const std::string text = knobs::to_text(entry.value);
  if (key == "about") return knob.about = printable(text), std::nullopt;
  if (key == "type") return take_type(knob, text);
  if (key == "least") return take_limit(knob.least, entry);
  if (key == "most") return take_limit(knob.most, entry);
  if (key == "words") return add_once(knob.words, text), std::nullopt;
  if (key == "flags") return add_once(knob.flags, text), std::nullopt;
  if (key == "environment") return add_once(knob.environment, text), std::nullopt;
  if (key == "set_environment") return take_flag(knob.settable_by_environment, entry);
  if (key == "lens") return take_flag(knob.lens, entry);
  if (key == "other") return take_flag(knob.in_other_sections, entry);
  if (key == "read_only") return take_flag(knob.read_only, entry);
  if (key == "estimate") return knob.estimate = text, std::nullopt;
  if (key == "names" || key == "node_names" || key == "total_names") {
    if (find_alias(knob, text) == nullptr) knob.names.push_back(make_alias(text));
    const auto whose = key == "names" ? knobs::Whose::kRank : key == "node_names" ? knobs::Whose::kNode : knobs::Whose::kAll;
    find_alias(knob, text)->whose = whose;
    return std::nullopt;
  }
  if (key == "word_names") {
    knob.names.push_back({.parts = knobs::words_of(text), .text = text, .among_words = true});
    return std::nullopt;
  }
  if (key == "not_beside") return add_once(knob.not_beside, text), std::nullopt;
  if ((key == "unless" || key == "spelled") && entry.path.size() >= 4) {
    return take_about_name(knob, entry, key, entry.path[3]);
  }
  return "unknown key \"" + printable(key) + '"' + did_you_mean(key, kKnobKeys);
}

// adds.FRAMEWORK.beside, calls, flags, names.KNOB
Complaint take_home(KnobTable& table, const Entry& entry, const std::string& text) {
  const std::string& framework = entry.path[1];
  auto home = std::find_if(table.homes.begin(), table.homes.end(),
                           [&](const knobs::Home& each) { return each.framework == framework; });
  if (home == table.homes.end()) {
    table.homes.push_back({.framework = framework, .beside = {}, .calls = {}, .flags = {}, .names = {}});
    home = table.homes.end() - 1;
  }
  const std::string& key = entry.path[2];
  if (key == "beside") return add_once(home->beside, text), std::nullopt;
  if (key == "calls") return add_once(home->calls, text), std::nullopt;
  if (key == "flags") return home->flags = text, std::nullopt;
  if (key == "names" && entry.path.size() > 3) return home->names.emplace_back(entry.path[3], text), std::nullopt;
  return "is none of beside, calls, flags, names";
}

Knob& knob_named(KnobTable& table, const std::string& name) {
  const auto found =
      std::find_if(table.knobs.begin(), table.knobs.end(), [&](const Knob& knob) { return knob.name == name; });
  if (found != table.knobs.end()) return *found;
  table.knobs.push_back({.name = name});
  table.knobs.back().names.push_back(make_alias(name));
  return table.knobs.back();
}

Complaint take(KnobTable& table, const Entry& entry) {
  if (entry.path.empty()) return "is not a list of \"key: value\" lines";
  const std::string& top = entry.path[0];
  const std::string text = knobs::to_text(entry.value);
  if (top == "config_flags") return add_once(table.config_flags, text), std::nullopt;
  if (top == "config_modules") return add_once(table.config_modules, text), std::nullopt;
  if (top == "other_sections") return add_once(table.other_sections, text), std::nullopt;
  if (top == "dead_sections") return add_once(table.dead_sections, text), std::nullopt;
  if (top == "dead_calls") return add_once(table.dead_calls, text), std::nullopt;
  if (top == "adds" && entry.path.size() >= 3) return take_home(table, entry, text);
  if (top == "frameworks" && entry.path.size() >= 2) return take_sign(table, entry.path[1], text);
  if (top != "knobs") return "unknown key \"" + printable(top) + '"' + did_you_mean(top, kTopKeys);
  if (entry.path.size() < 3) return "a knob wants at least a type and names";
  return take_knob_entry(knob_named(table, entry.path[1]), entry);
}

}  // namespace

LoadedKnobs parse_knobs(std::string_view text, std::string_view file, KnobTable base) {
  LoadedKnobs loaded{std::move(base), {}};
  const auto document = knobs::read_document(knobs::Format::kYaml, text);
  if (!document) {
    loaded.problems.push_back({std::string{file}, 0, document.error().message + "; nothing of it is used"});
    return loaded;
  }
  for (const auto& entry : document->entries) {
    if (auto wrong = take(loaded.table, entry)) {
      const bool deep = entry.path.size() > 1;
      loaded.problems.push_back(
          {std::string{file}, entry.line, (deep ? printable(knobs::joined(entry.path)) + ": " : "") + *wrong});
    }
  }
  return loaded;
}

LoadedKnobs load_knobs(const Environment& environment) {
  LoadedKnobs loaded = parse_knobs(asset("configs/knobs.yaml").value_or(""), "knobs.yaml");
  const auto directory = config_directory(environment);
  if (directory.empty()) return loaded;
  const auto path = directory / "knobs.yaml";
  const auto text = read_text_file(path, knobs::kLargestDocument);
  if (text) {
    auto on_top = parse_knobs(*text, path.string(), std::move(loaded.table));
    on_top.problems.insert(on_top.problems.begin(), loaded.problems.begin(), loaded.problems.end());
    return on_top;
  }
  if (text.error().kind != Error::Kind::kNotFound) loaded.problems.push_back({path.string(), 0, text.error().message});
  return loaded;
}

}  // namespace gputop
