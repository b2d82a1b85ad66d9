#include "knobs/python_mentions.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"
#include "gputop/knobs/document.hpp"
#include "knobs/python_tokens.hpp"

namespace gputop::knobs {
namespace {

using Kind = PythonToken::Kind;

bool names_a_config(std::string_view path) {
  const auto format = format_of(path);
  return format && *format != Format::kPython && *format != Format::kShell &&
         path.find_first_of("{}*?<>|\"' \n\t:") == path.npos && !path.starts_with('/') && path.find("..") == path.npos;
}

}  // namespace

PythonMentions python_mentions(std::string_view text) {
  PythonMentions mentions;
  const auto tokens = python_tokens(text);
  if (!tokens) return mentions;
  const auto word = [&](std::size_t i) {
    if (i >= tokens->size()) return std::string_view{};
    return slice(text, (*tokens)[i].begin, (*tokens)[i].end - (*tokens)[i].begin);
  };
  const auto kind = [&](std::size_t i) { return i < tokens->size() ? (*tokens)[i].kind : Kind::kEnd; };
  bool line_start = true;
  for (std::size_t i = 0; i < tokens->size(); ++i) {
    if (kind(i) == Kind::kString) {
      auto raw = word(i);
      skip_front(raw, raw.find_first_of("\"'"));
      const auto inner = raw.size() > 2 ? slice(raw, 1, raw.size() - 2) : std::string_view{};
      if (names_a_config(inner)) mentions.files.emplace_back(inner);
    }
    const bool from = line_start && word(i) == "from";
    const bool import = line_start && word(i) == "import";
    line_start = kind(i) == Kind::kLineEnd;
    if (!from && !import) continue;
    PythonMentions::Import found;
    std::size_t at = i + 1;
    for (; (kind(at) == Kind::kName && word(at) != "import") || word(at) == "." || word(at) == "..."; ++at) {
      if (word(at) == "as") break;
      found.module += word(at);
    }
    if (from) {
      for (++at; kind(at) != Kind::kLineEnd && kind(at) != Kind::kEnd; ++at) {
        if (kind(at) == Kind::kName) found.names.emplace_back(word(at));
      }
    }
    mentions.imports.push_back(std::move(found));
  }
  return mentions;
}

}  // namespace gputop::knobs
