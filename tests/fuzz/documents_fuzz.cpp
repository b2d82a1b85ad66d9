// libFuzzer: any bytes as YAML, JSON, TOML, Python and shell script; every value is edited, and no edit may touch a
// byte that is not its own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/knobs/document.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop::knobs;
  if (size < 1) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  const Format format = static_cast<Format>(data[0] % 5);
  const auto document = read_document(format, text);
  if (!document) return 0;
  constexpr std::size_t kMostEdits = 20;
  for (std::size_t i = 0; i < document->entries.size() && i < kMostEdits; ++i) {
    const Entry& entry = document->entries[i];
    if (entry.begin > entry.end || entry.end > text.size()) std::abort();
    for (const Value& value : {Value{std::int64_t{48}}, Value{2e-5}, Value{true}, Value{std::string{"bf16"}}}) {
      const auto edited = change_value(text, *document, i, value, true);
      if (!edited) continue;
      if (edited->compare(0, entry.begin, text, 0, entry.begin) != 0) std::abort();
      const auto tail = text.substr(entry.end);
      if (!edited->ends_with(tail)) std::abort();
      const auto again = read_document(format, *edited);
      if (!again || again->entries.size() != document->entries.size()) std::abort();
      const auto restored = restore_values(format, text, *edited, *edited);
      if (restored && *restored != text) std::abort();
    }
  }
  return 0;
}
