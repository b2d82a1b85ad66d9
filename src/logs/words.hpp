// A key cut into its words, lower case: "RunningAvgSamplesPerSec", "train/loss" and "samples per sec" are alike then.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gputop::logs {

class Words {
 public:
  explicit Words(std::string_view text);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // "" beyond the last.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    return index < count_ ? word(index) : std::string_view{};
  }
  [[nodiscard]] std::string_view back() const { return (*this)[count_ - 1]; }

  [[nodiscard]] bool has(std::string_view word) const;
  template <class... Word>
  [[nodiscard]] bool has_any(Word... words) const {
    return (has(words) || ...);
  }
  template <class... Word>
  [[nodiscard]] bool are(Word... words) const {
    if (sizeof...(words) != count_) return false;
    std::size_t i = 0;
    return ((words == (*this)[i++]) && ...);
  }
  template <class... Word>
  [[nodiscard]] bool end_with(Word... words) const {
    if (sizeof...(words) > count_) return false;
    std::size_t i = count_ - sizeof...(words);
    return ((words == (*this)[i++]) && ...);
  }

 private:
  static constexpr std::size_t kMost = 24;
  static constexpr std::size_t kRoom = 128;
  [[nodiscard]] std::string_view word(std::size_t index) const {
    return {letters_.data() + begins_[index], static_cast<std::size_t>(ends_[index] - begins_[index])};
  }

  std::array<char, kRoom> letters_;  // NOLINT: filled up to the last end
  std::array<unsigned char, kMost> begins_{};
  std::array<unsigned char, kMost> ends_{};
  std::size_t count_ = 0;
};

}  // namespace gputop::logs
