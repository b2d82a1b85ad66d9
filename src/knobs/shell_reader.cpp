// A shell script that starts a run: every word that could be a value, with its bytes. See shell_words.hpp.
#include <algorithm>
#include <map>
#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/command_words.hpp"
#include "knobs/readers.hpp"
#include "knobs/shell_words.hpp"

namespace gputop::knobs {
namespace {

constexpr std::string_view kWorkedOut = "an expression that the shell evaluates";

bool is_name(std::string_view text) {
  const auto fine = [](char c) {
    return is_alnum(c) || c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fine);
}

// $NAME, ${NAME}; and ${NAME:-8}, where the value's bytes are those of its default.
void take_variable(Entry& entry, std::string_view text) {
  std::string_view raw = slice(text, entry.begin, entry.end - entry.begin);
  if (!raw.starts_with('$')) return;
  const bool braces = raw.starts_with("${") && raw.ends_with('}');
  const std::string_view inner = braces ? slice(raw, 2, raw.size() - 3) : slice(raw, 1);
  if (is_name(inner)) {
    entry.refers = inner;
    return;
  }
  const auto dash = inner.find('-');
  if (!braces || dash == inner.npos) return;
  std::string_view name = slice(inner, 0, dash);
  if (name.ends_with(':')) skip_back(name, 1);
  const std::string_view fallback = slice(inner, dash + 1);
  const bool digits = is_digit(first_char(name));
  if (!is_name(name) || digits || fallback.find_first_of("$`\\\"'{} ") != fallback.npos) return;
  entry.refers = name;  // unless it is set elsewhere, this is its value
  entry.begin = static_cast<std::size_t>(fallback.data() - text.data());
  entry.end = entry.begin + fallback.size();
  entry.value = read_scalar(fallback, Dialect::kWords);
  entry.fixed.clear();
}

// Variables that are assigned once, by what refers to them.
void resolve_variables(Document& document) {
  std::map<std::string, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < document.entries.size(); ++i) places[document.entries[i].path.front()].push_back(i);
  for (auto& entry : document.entries) {
    const auto found = entry.refers.empty() ? places.end() : places.find(entry.refers);
    if (found == places.end()) continue;
    if (found->second.size() == 1) entry.stands_at = found->second.front();
    if (found->second.size() > 1) entry.fixed = "$" + entry.refers + " is assigned more than once";
  }
}

// GPT_ARGS="--num-layers 24 --lr 1e-4": words of a command that is put together later.
bool holds_words(const ShellValue& value, std::string_view raw) {
  return value.quoted && is_name(value.name) && raw.find("--") != raw.npos && raw.find_first_of(" \n") != raw.npos &&
         raw.find_first_of("`'\"#;&|()<>") == raw.npos;
}

std::vector<std::vector<ShellWord>> all_commands(std::string_view text) {
  auto commands = shell_commands(text);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const auto words = commands[i];  // `commands` grows
    for (const auto& word : words) {
      const ShellValue value = shell_value(word);
      const auto raw = slice(text, value.begin, value.end - value.begin);
      if (!holds_words(value, raw)) continue;
      std::vector<ShellWord> inner;
      for (auto& line : shell_commands(raw)) {
        for (auto& each : line) inner.push_back({each.text, each.begin + value.begin, each.line + word.line - 1});
      }
      commands.push_back(std::move(inner));
    }
  }
  return commands;
}

}  // namespace

Result<Document> read_shell(std::string_view text) {
  Document document;
  for (const auto& command : all_commands(text)) {
    std::string flag;
    std::size_t number = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
      const auto& word = command[i];
      ++document.units;
      const ShellValue value = shell_value(word);
      const bool is_value = !value.name.empty() || !is_flag(word.text);
      const std::string own = flag.empty() && is_value ? "[" + std::to_string(number++) + "]" : flag;
      flag = is_value ? "" : std::string{word.text};
      if (!is_value) {
        document.entries.push_back({.path = {flag, "[present]"},
                                    .value = true,
                                    .begin = word.begin,
                                    .end = word.begin + word.text.size(),
                                    .line = word.line,
                                    .quoted = false,
                                    .fixed = {},
                                    .shared = {},
                                    .presence = true});
        continue;
      }
      if (holds_words(value, slice(text, value.begin, value.end - value.begin))) continue;  // its words are entries
      Entry entry{.path = {value.name.empty() ? own : std::string{value.name}},
                  .value = read_scalar(slice(text, value.begin, value.end - value.begin), Dialect::kWords),
                  .begin = value.begin,
                  .end = value.end,
                  .line = word.line,
                  .quoted = value.quoted};
      if (!value.literal) {
        entry.fixed = kWorkedOut;
        take_variable(entry, text);
      }
      if (i == 0 && word.text == "read") entry.fixed = "the name of a command";  // a here document hangs on it
      document.entries.push_back(std::move(entry));
    }
  }
  resolve_variables(document);
  return document;
}

}  // namespace gputop::knobs
