#include "logs/words.hpp"

#include "gputop/core/scan.hpp"
#include "logs/text.hpp"

namespace gputop::logs {

Words::Words(std::string_view text) : letters_{} {
  std::size_t used = 0;
  bool open = false;
  char before = 0;
  for (std::size_t i = 0; i < text.size() && used < kRoom; ++i) {
    const char c = char_at(text, i);
    const bool upper = c >= 'A' && c <= 'Z';
    // "SamplesPerSec": a capital behind a small letter begins a word.
    if (open && (!is_alnum(c) || (upper && before >= 'a' && before <= 'z'))) {
      ends_[count_ - 1] = static_cast<unsigned char>(used);
      open = false;
    }
    before = c;
    if (!is_alnum(c)) continue;
    if (!open) {
      if (count_ == kMost) return;
      begins_[count_++] = static_cast<unsigned char>(used);
      open = true;
    }
    letters_[used++] = to_lower(c);
  }
  if (open) ends_[count_ - 1] = static_cast<unsigned char>(used);
}

bool Words::has(std::string_view word) const {
  for (std::size_t i = 0; i < count_; ++i) {
    if ((*this)[i] == word) return true;
  }
  return false;
}

}  // namespace gputop::logs
