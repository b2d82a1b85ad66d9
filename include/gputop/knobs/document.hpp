// A configuration text as a list of its values, each with the bytes it is written in, and the edit of one of them:
// text in, text out, every other byte kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/knobs/value.hpp"

namespace gputop::knobs {

enum class Format : std::uint8_t { kYaml, kJson, kToml, kPython, kShell };
std::string_view to_string(Format format);               // "YAML"
std::optional<Format> format_of(std::string_view path);  // by the end of its name
Dialect dialect_of(Format format);

// A larger text is no configuration.
inline constexpr std::size_t kLargestDocument = 16 * 1024 * 1024;

struct Entry {
  // Keys from the outside in: {"stages", "[1]", "batch_size"}. Items of lists are "[N]"; in Python, calls are
  // "DataLoader()", classes and functions their names, declared flags "--batch-size". In a shell script: the flag or
  // variable.
  std::vector<std::string> path;
  Value value;
  // The value's bytes, between the quotes if it has any: [begin, end).
  std::size_t begin = 0;
  std::size_t end = 0;
  int line = 0;  // 1-based
  bool quoted = false;
  std::string fixed;   // why it cannot be edited; "" when it can
  std::string shared;  // what else would change with it; "" when nothing would
  // Of a value that only refers to another (*alias, ${train.batch}, !ref <batch>, a Python or shell variable): what it
  // names, and the entry where that stands, if it is in this text.
  std::string refers = {};
  std::optional<std::size_t> stands_at = std::nullopt;
  // Of a flag in a shell script that has no value: it is true by being there, and [begin, end) are its own bytes.
  bool presence = false;

  bool operator==(const Entry&) const = default;
};
std::string joined(const std::vector<std::string>& path);  // "stages[1].batch_size"

struct Document {
  Format format = Format::kYaml;
  std::vector<Entry> entries;                      // every scalar, in the order of the text
  std::vector<std::vector<std::string>> repeated;  // keys that come again in their own mapping, whatever they hold
  std::size_t units = 0;  // of the reader's own counting (events, tokens): an edit must not change it
};

// Errors: not text, too large, or wrong by the format's rules; the message begins with "line N: " where there is one.
Result<Document> read_document(Format format, std::string_view text);

// The text with the value of entry `index` changed. The result is read again before it is returned: exactly that value
// differs. Errors say why it could not be done; entries that are fixed, or shared unless `also_shared`, are refused.
Result<std::string> change_value(std::string_view text,
                                 const Document& document,
                                 std::size_t index,
                                 const Value& value,
                                 bool also_shared = false);

// The text with a new key of this path in it: in the section of its path, in the manner of `beside` (an entry of that
// section) or of the last one there; a section that is not there yet is made. Read again before it is returned: that
// value is new, and nothing else differs.
Result<std::string> add_value(std::string_view text,
                              const Document& document,
                              const std::vector<std::string>& path,
                              std::optional<std::size_t> beside,
                              const Value& value);

// Takes an edit back in a text that others have edited since: where `written` differs from `before`, the value's bytes
// become those of `before`, and everything else stays as it is `now`. Error: such a value is gone, or somebody has
// changed it.
Result<std::string> restore_values(Format format,
                                   std::string_view before,
                                   std::string_view written,
                                   std::string_view now);

}  // namespace gputop::knobs
