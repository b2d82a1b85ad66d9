// The formats behind one function, and the checked edit: see document.hpp.
#include "gputop/knobs/document.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/readers.hpp"

namespace gputop::knobs {
namespace {

struct Editor {
  Format format;
  std::string_view name;
  Dialect dialect;
  Result<Document> (*read)(std::string_view);
  std::string_view endings;
};
constexpr std::array kEditors{
#define X(enumerator, name, dialect, reader, endings) \
  Editor{Format::enumerator, name, Dialect::dialect, reader, endings},
#include "knobs/editors.def"
#undef X
};

const Editor& editor_of(Format format) {
  return *std::find_if(kEditors.begin(), kEditors.end(), [&](const Editor& e) { return e.format == format; });
}

// Where a key comes twice, readers differ on which one counts. In Python both may: the later assignment, another call;
// in a shell script, the flag of another command.
void mark_repeated(Document& document) {
  std::map<std::vector<std::string>, std::vector<Entry*>> by_path;
  for (auto& entry : document.entries) by_path[entry.path].push_back(&entry);
  for (auto& [path, entries] : by_path) {
    if (entries.size() < 2) continue;
    if (document.format == Format::kPython || document.format == Format::kShell) {
      for (std::size_t i = 1; i < entries.size(); ++i) entries[i]->path.back() += "#" + std::to_string(i + 1);
      continue;
    }
    for (auto* entry : entries) {
      if (!entry->fixed.empty()) continue;
      entry->fixed = "the key comes " + std::to_string(entries.size()) + " times (first in line " +
                     std::to_string(entries.front()->line) + ", last in line " + std::to_string(entries.back()->line) +
                     "): which one counts depends on the reader";
    }
  }
}

// A mapping whose key comes again may be dead, though its own keys are all there once.
void mark_inside_repeated(Document& document) {
  for (const auto& key : document.repeated) {
    for (auto& entry : document.entries) {
      const bool inside = entry.path.size() > key.size() && std::equal(key.begin(), key.end(), entry.path.begin());
      if (inside && entry.fixed.empty()) {
        entry.fixed =
            "the key " + printable(joined(key)) + " comes more than once: which one counts depends on the reader";
      }
    }
  }
}

bool same_meaning(const Entry& a, const Entry& b) {
  return a.path == b.path && a.value == b.value && a.quoted == b.quoted && a.fixed == b.fixed && a.line == b.line;
}

// A word in quotes stays a word: "32" is not 32 for a strict reader, but it is for us.
bool says(const Entry& entry, const Value& value, Dialect dialect) {
  if (same_value(entry.value, value)) return true;
  const auto* word = std::get_if<std::string>(&entry.value);
  return word != nullptr && (same_value(read_scalar(*word, Dialect::kWords), value) || *word == to_text(value) ||
                             same_value(read_scalar(*word, dialect), value));
}

// A flag that is true by being there goes away, with the space in front of it.
Result<std::string> take_flag_away(std::string_view text,
                                   const Document& document,
                                   std::size_t index,
                                   const Value& value) {
  const Entry& entry = document.entries[index];
  const std::string flag = printable(entry.path.front());
  if (value != Value{false}) return Error{Error::Kind::kNotSupported, flag + " is a flag without a value"};
  std::size_t begin = entry.begin;
  while (begin > 0 && (char_at(text, begin - 1) == ' ' || char_at(text, begin - 1) == '\t')) --begin;
  const bool first = begin == 0 || char_at(text, begin - 1) == '\n';  // of its line: then the space behind it goes
  std::size_t end = entry.end;
  if (first) {
    begin = entry.begin;
    while (end < text.size() && (char_at(text, end) == ' ' || char_at(text, end) == '\t')) ++end;
  }
  std::string edited{text};
  edited.erase(begin, end - begin);
  const auto again = read_document(document.format, edited);
  bool good = again && again->entries.size() + 1 == document.entries.size();
  for (std::size_t i = 0; good && i < again->entries.size(); ++i) {
    const Entry& before = document.entries[i < index ? i : i + 1];
    good = again->entries[i].path == before.path && again->entries[i].value == before.value;
  }
  if (!good) return Error{Error::Kind::kNotSupported, flag + " cannot be taken away: change it by hand"};
  return edited;
}

}  // namespace

std::string_view to_string(Format format) {
  return editor_of(format).name;
}

Dialect dialect_of(Format format) {
  return editor_of(format).dialect;
}

std::optional<Format> format_of(std::string_view path) {
  const auto dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos || path.find(' ', dot) != path.npos) return std::nullopt;
  const std::string ending = std::string{slice(path, dot)} + " ";
  for (const auto& editor : kEditors) {
    if (editor.endings.find(ending) != std::string_view::npos) return editor.format;
  }
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& path) {
  std::string text;
  for (const auto& part : path) {
    if (!text.empty() && !part.starts_with('[')) text += '.';
    text += part;
  }
  return text;
}

Result<Document> read_document(Format format, std::string_view text) {
  if (text.size() > kLargestDocument) return Error{Error::Kind::kInvalid, "is larger than 16 MiB: no configuration"};
  if (text.find('\0') != text.npos) return Error{Error::Kind::kCorrupt, "is not text (it has a zero byte)"};
  auto document = editor_of(format).read(text);
  if (!document) return document;
  document->format = format;
  mark_repeated(*document);
  mark_inside_repeated(*document);
  return document;
}

Result<std::string> change_value(std::string_view text,
                                 const Document& document,
                                 std::size_t index,
                                 const Value& value,
                                 bool also_shared) {
  const Entry& entry = document.entries.at(index);
  const auto refuse = [&](std::string why) {
    return Error{Error::Kind::kNotSupported,
                 "line " + std::to_string(entry.line) + ": " + printable(joined(entry.path)) + ": " + std::move(why)};
  };
  if (!entry.fixed.empty()) return refuse(entry.fixed);
  if (!entry.shared.empty() && !also_shared) return refuse(entry.shared);
  if (entry.presence) return take_flag_away(text, document, index, value);
  const Dialect dialect = dialect_of(document.format);
  const auto written = write_like(slice(text, entry.begin, entry.end - entry.begin), entry.quoted, value, dialect);
  if (!written) return refuse(written.error().message);
  std::string edited{text};
  const bool after_colon = entry.begin == entry.end && entry.begin > 0 && char_at(text, entry.begin - 1) == ':';
  edited.replace(entry.begin, entry.end - entry.begin, after_colon ? " " + *written : *written);

  // The formats have more corners than a byte span can know: what was written must read back as what was meant.
  const auto again = read_document(document.format, edited);
  if (!again) return refuse("the edited text would not be valid (" + again.error().message + ")");
  bool good = again->units == document.units && again->entries.size() == document.entries.size();
  for (std::size_t i = 0; good && i < again->entries.size(); ++i) {
    const auto& now = again->entries[i];
    good = i == index ? now.path == entry.path && now.fixed.empty() && says(now, value, dialect)
                      : same_meaning(now, document.entries[i]);
  }
  if (!good) return refuse("the edit would change more than this value; change it by hand");
  return edited;
}

}  // namespace gputop::knobs
