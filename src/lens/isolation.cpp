#include "gputop/lens/isolation.hpp"

#include <algorithm>
#include <string_view>

#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr std::string_view kIsolating = "IES";     // no PYTHONPATH, or no sitecustomize
constexpr std::string_view kLast = "cm";           // everything after them belongs to the program
constexpr std::string_view kWithArgument = "WXQ";  // of the interpreter

bool is_python(std::string_view word) {
  skip_front(word, word.rfind('/') + 1);
  if (!word.starts_with("python")) return false;
  skip_front(word, 6);
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == 't' || c == 'd'; });
}

}  // namespace

std::optional<std::string> isolating_option(const std::vector<std::string>& argv) {
  auto word = std::find_if(argv.begin(), argv.end(), is_python);
  if (word == argv.end()) return std::nullopt;
  for (++word; word != argv.end(); ++word) {
    if (word->size() < 2 || first_char(*word) != '-' || *word == "--") return std::nullopt;  // the script
    if (word->starts_with("--")) continue;  // --check-hash-based-pycs …
    for (std::size_t i = 1; i < word->size(); ++i) {
      const char letter = char_at(*word, i);
      if (kIsolating.find(letter) != std::string_view::npos) return std::string{'-', letter};
      if (kLast.find(letter) != std::string_view::npos) return std::nullopt;
      if (kWithArgument.find(letter) != std::string_view::npos) {
        if (i + 1 == word->size() && word + 1 != argv.end()) ++word;  // its argument is the next word
        break;
      }
    }
  }
  return std::nullopt;
}

}  // namespace gputop
