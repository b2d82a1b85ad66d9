// A key that is not there yet, in the manner of its neighbours: see document.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/document.hpp"
#include "knobs/shell_words.hpp"

namespace gputop::knobs {
namespace {

using Path = std::vector<std::string>;

bool is_margin(char c) {
  return c == ' ' || c == '\t';
}

// Where a new key goes: behind an entry of the section that is there, as the keys that are missing below it.
struct Gap {
  const Entry* neighbour = nullptr;  // nullptr: at the end of the text
  Path missing;
};

bool is_in(const Entry& entry, const Path& section) {
  return entry.path.size() == section.size() + 1 && std::equal(section.begin(), section.end(), entry.path.begin());
}

Gap gap_for(const Document& document, const Path& path, std::optional<std::size_t> beside) {
  if (beside) return {&document.entries[*beside], {path.back()}};
  for (std::size_t depth = path.size() - 1; depth > 0; --depth) {
    const Path section{path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth)};
    const Entry* last = nullptr;
    for (const auto& entry : document.entries) {
      if (is_in(entry, section) && !entry.presence) last = &entry;
    }
    if (last != nullptr) return {last, {path.begin() + static_cast<std::ptrdiff_t>(depth), path.end()}};
  }
  return {nullptr, path};
}

// How a format writes "key value" and a section with one key in it.
struct Manner {
  std::string_view assign;       // ": "
  std::string_view open_inline;  // "{"
  std::string_view close_inline;
  bool quoted_keys;
};
Manner manner_of(Format format) {
  switch (format) {
    case Format::kJson: return {": ", "{", "}", true};
    case Format::kToml: return {" = ", "{ ", " }", false};
    case Format::kPython: return {"=", "dict(", ")", false};
    default: return {": ", "{", "}", false};
  }
}

std::string inline_text(const Manner& manner, const Path& keys, const std::string& written) {
  std::string text;
  std::string closing;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string key = manner.quoted_keys ? "\"" + keys[i] + "\"" : keys[i];
    text += key + std::string{manner.assign};
    if (i + 1 == keys.size()) break;
    text += manner.open_inline;
    closing = std::string{manner.close_inline} + closing;
  }
  return text + written + closing;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const auto before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}
std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}
std::string line_break(std::string_view text) {
  return text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
}

// Column where the neighbour's key begins: behind spaces and the dashes of lists.
std::string indent_of(std::string_view text, const Entry& neighbour) {
  std::size_t at = line_begin(text, neighbour.begin);
  std::string indent;
  while (is_margin(char_at(text, at)) || (char_at(text, at) == '-' && is_margin(char_at(text, at + 1)))) {
    indent += char_at(text, at) == '\t' ? '\t' : ' ';
    ++at;
  }
  return indent;
}

// On lines of their own behind the neighbour's: YAML's blocks, TOML's tables.
std::string on_new_lines(std::string_view text, const Entry& neighbour, const Manner& manner, const Path& keys,
                         const std::string& written) {
  const std::string line = line_break(text);
  const std::string indent = indent_of(text, neighbour);
  std::string added;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool last = i + 1 == keys.size();
    added += indent + std::string(2 * i, ' ') + keys[i] + (last ? std::string{manner.assign} + written : ":") + line;
  }
  const std::size_t end = line_end(text, neighbour.end);
  std::string edited{text};
  if (end >= text.size()) return edited + line + slice(added, 0, added.size() - line.size());
  return edited.insert(end + 1, added);
}

// Within the same brackets: behind the neighbour's value, on a line of its own where that one has one.
std::string within_brackets(std::string_view text, const Entry& neighbour, const std::string& added) {
  std::size_t end = neighbour.end + (neighbour.quoted ? 1 : 0);
  std::size_t start = line_begin(text, neighbour.begin);
  std::size_t key = start;
  while (is_margin(char_at(text, key))) ++key;
  const auto between = slice(text, key, neighbour.begin - std::min(key, neighbour.begin));
  const bool own_line = key < neighbour.begin && between.find_first_of(",({") == std::string_view::npos;
  const std::string space = own_line ? line_break(text) + std::string{slice(text, start, key - start)} : " ";
  std::string edited{text};
  return edited.insert(end, "," + space + added);
}

// A flag behind the last word of the command that holds the neighbour, before what the script was called with; on a
// line of its own where the one before has one. {}: it does not end in words of its own.
std::string at_the_end_of_command(std::string_view text, const Entry& neighbour, const std::string& added) {
  for (const auto& command : shell_commands(text)) {
    const ShellWord* last = nullptr;
    bool holds = false;
    for (const auto& word : command) {
      if (word.text.find("$@") != word.text.npos || word.text.find("$*") != word.text.npos) break;
      holds = holds || (word.begin <= neighbour.begin && neighbour.begin < word.begin + word.text.size());
      last = &word;
    }
    if (!holds || last == nullptr) continue;
    const std::size_t start = line_begin(text, last->begin);
    std::size_t first = start;
    while (is_margin(char_at(text, first))) ++first;
    const std::string_view above = slice(text, 0, start);
    const bool continued = above.ends_with("\\\n") || above.ends_with("\\\r\n");
    const std::string space =
        continued ? " \\" + line_break(text) + std::string{slice(text, start, first - start)} : " ";
    std::string edited{text};
    return edited.insert(last->begin + last->text.size(), space + added);
  }
  return {};
}

std::string at_the_end(std::string_view text, Format format, const Path& keys, const std::string& written) {
  const std::string line = line_break(text);
  std::string edited{text};
  if (!edited.empty() && !edited.ends_with('\n')) edited += line;
  const Manner manner = manner_of(format);
  if (format == Format::kPython) {
    const Path rest{keys.begin() + 1, keys.end()};
    const bool dict = text.find("dict(") != text.npos || text.find("_base_") != text.npos;
    if (rest.empty()) return edited + keys.front() + " = " + written + line;
    if (dict) return edited + keys.front() + " = dict(" + inline_text(manner, rest, written) + ")" + line;
    std::string name;
    for (const auto& key : keys) name += (name.empty() ? "" : ".") + key;
    return edited + name + " = " + written + line;
  }
  if (format == Format::kToml && keys.size() > 1) {
    std::string table;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) table += (i == 0 ? "" : ".") + keys[i];
    return edited + line + "[" + table + "]" + line + keys.back() + " = " + written + line;
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool last = i + 1 == keys.size();
    edited += std::string(2 * i, ' ') + keys[i] + (last ? std::string{manner.assign} + written : ":") + line;
  }
  return edited;
}

// Exactly one value more, of this path and meaning; around it, perhaps, the sections that it needs.
bool adds_just_that(const Document& before, const std::string& edited, const Path& path, const Value& value) {
  const auto after = read_document(before.format, edited);
  if (!after) return false;
  std::size_t known = 0;
  std::size_t added = 0;
  for (const auto& now : after->entries) {
    const bool was = known < before.entries.size() && now.path == before.entries[known].path &&
                     now.value == before.entries[known].value && now.fixed == before.entries[known].fixed;
    const bool section = now.path.size() < path.size() && std::equal(now.path.begin(), now.path.end(), path.begin()) &&
                         !now.fixed.empty();
    if (now.presence && path.size() == 1 && now.path.front() == path.front() && !was) continue;  // the value's flag
    if (now.path == path && now.fixed.empty() && same_value(now.value, value) && added == 0 && !was) {
      ++added;
    } else if (was) {
      ++known;
    } else if (!section) {
      return false;
    }
  }
  return added == 1 && known == before.entries.size();
}

}  // namespace

Result<std::string> add_value(std::string_view text,
                              const Document& document,
                              const Path& path,
                              std::optional<std::size_t> beside,
                              const Value& value) {
  const auto refuse = [&](const std::string& why) {
    return Error{Error::Kind::kNotSupported, printable(joined(path)) + " cannot be added: " + why};
  };
  const bool shell = document.format == Format::kShell;
  const bool alone = shell && path.size() == 2 && path.back() == "[present]";
  if (path.empty() || (shell && (!beside || (path.size() != 1 && !alone)))) return refuse("this is no place for it");
  if (alone && value != Value{true}) return refuse("it is a switch without a value");
  const auto written = write_like("", false, value, dialect_of(document.format));
  if (!written) return refuse(written.error().message);
  const Manner manner = manner_of(document.format);
  const Gap gap = gap_for(document, path, beside);
  std::vector<std::string> attempts;
  if (shell) {
    attempts.push_back(at_the_end_of_command(text, *gap.neighbour, path.front() + (alone ? "" : " " + *written)));
  } else if (gap.neighbour == nullptr) {
    if (document.format != Format::kJson) attempts.push_back(at_the_end(text, document.format, gap.missing, *written));
  } else {
    const bool lines = document.format == Format::kYaml || document.format == Format::kToml;
    const Manner flow = document.format == Format::kYaml ? Manner{": ", "{", "}", false} : manner;
    if (lines) attempts.push_back(on_new_lines(text, *gap.neighbour, manner, gap.missing, *written));
    attempts.push_back(within_brackets(text, *gap.neighbour, inline_text(flow, gap.missing, *written)));
  }
  for (auto& edited : attempts) {
    if (adds_just_that(document, edited, path, value)) return std::move(edited);
  }
  return refuse("it cannot be inserted next to the others; add it by hand");
}

}  // namespace gputop::knobs
