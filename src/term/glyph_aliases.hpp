// Stand-ins, one code point each, for what libtsm cannot hold or measures differently: characters with marks on them,
// and characters whose width it sees differently.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gputop::term {

// If there are too many, the oldest stand-in is reused: by then it has long left the screen, unless there are more than
// kMost different ones on it.
class GlyphAliases {
 public:
  static constexpr std::uint32_t kMost = 1U << 14U;  // per width

  // A code point that libtsm considers `width` (1 or 2) columns wide.
  char32_t alias(std::string_view text, int width);
  // What it stands for; "" if it is no stand-in.
  [[nodiscard]] std::string_view find(char32_t code) const;
  // Whether the job's own character looks like a stand-in, and so needs one itself.
  static bool taken(char32_t code) { return index_of(code) < 2 * kMost; }

 private:
  // Private use, one column; unassigned and wide by default, two columns.
  static constexpr std::array<char32_t, 2> kFirst{0xF0000, 0x30000};
  static std::uint32_t index_of(char32_t code);

  struct Width {
    std::vector<std::string> texts;
    std::uint32_t next = 0;
    std::unordered_map<std::string, std::uint32_t> known;
  };
  std::array<Width, 2> widths_;
};

}  // namespace gputop::term
