// One reader per format; document.cpp has checked size and bytes, and marks repeated keys afterwards.
#pragma once

#include "gputop/knobs/document.hpp"

namespace gputop::knobs {

Result<Document> read_yaml(std::string_view text);
Result<Document> read_json(std::string_view text);
Result<Document> read_toml(std::string_view text);
Result<Document> read_python(std::string_view text);
Result<Document> read_shell(std::string_view text);

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr int kDeepestNesting = 64;

inline Error wrong_at(int line, std::string message) {
  return {Error::Kind::kCorrupt, "line " + std::to_string(line) + ": " + std::move(message)};
}

}  // namespace gputop::knobs
