// A regular expression typed by the user, run over untrusted text: linear time, bounded memory, no recursion on the
// text, no exceptions. Knows . [] [^] () | * + ? {m,n} ^ $ \d \w \s and escapes; anything else stands for itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop {

class Pattern {
 public:
  static constexpr std::size_t kLongest = 256;       // characters of an expression
  static constexpr std::size_t kMostSteps = 4096;    // of the compiled program
  static constexpr std::size_t kLongestText = 8192;  // bytes looked at

  // The error says what is wrong and where. Without a capital letter in the expression, case does not matter.
  static Result<Pattern> compile(std::string_view expression);

  // Anywhere in the text.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  friend class PatternCompiler;
  struct Step {
    enum class Kind : std::uint8_t { kCharacter, kAny, kSet, kSplit, kJump, kBegin, kEnd, kMatch };
    Kind kind = Kind::kMatch;
    char32_t character = 0;
    std::size_t first = 0;   // split, jump: the target; set: its index
    std::size_t second = 0;  // split: the other target
  };
  struct Set {
    bool negated = false;
    std::vector<std::pair<char32_t, char32_t>> ranges;
  };
  [[nodiscard]] bool accepts(const Step& step, char32_t c) const;
  void follow(std::vector<std::size_t>& states,
              std::vector<std::uint32_t>& seen,
              std::uint32_t generation,
              std::size_t state,
              bool at_begin,
              bool at_end) const;

  bool any_case_ = true;
  std::vector<Step> steps_;
  std::vector<Set> sets_;
};

}  // namespace gputop
