// libFuzzer: any bytes as YAML, JSON, TOML, Python and shell script; every value is edited, and no edit may touch a
// byte that is not its own.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "gputop/knobs/document.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop::knobs;
  if (size < 1) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  const Format format = static_cast<Format>(data[0] % 5);
  const auto document = read_document(format, text);
  if (!document) return 0;
  // A few entries, each with another value: an input should cost milliseconds.
  const Value values[] = {Value{std::int64_t{48}}, Value{2e-5}, Value{true}, Value{std::string{"bf16"}}};
  constexpr std::size_t kMostEdits = 6;
  const std::size_t stride = document->entries.size() / kMostEdits + 1;
  for (std::size_t i = data[0] / 5 % stride; i < document->entries.size(); i += stride) {
    const Entry& entry = document->entries[i];
    if (entry.begin > entry.end || entry.end > text.size()) std::abort();
    const auto edited = change_value(text, *document, i, values[(data[0] + i) % std::size(values)], true);
    if (!edited) continue;
    if (edited->compare(0, entry.begin, text, 0, entry.begin) != 0) std::abort();
    const auto tail = text.substr(entry.end);
    if (!edited->ends_with(tail)) std::abort();
    const auto again = read_document(format, *edited);
    if (!again || again->entries.size() != document->entries.size()) std::abort();
    const auto restored = restore_values(format, text, *edited, *edited);
    if (!restored || *restored != text) std::abort();
    // Somebody edits the next value by hand: taking ours back leaves theirs.
    const std::size_t next = (i + 1) % document->entries.size();
    if (next == i) continue;
    const Value by_hand{std::int64_t{7}};
    const auto now = change_value(*edited, *again, next, by_hand, true);
    const auto wanted = change_value(text, *document, next, by_hand, true);
    if (!now || !wanted) continue;
    const auto kept = restore_values(format, text, *edited, *now);
    if (kept && *kept != *wanted) std::abort();
  }
  return 0;
}
