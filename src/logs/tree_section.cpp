#include "gputop/logs/tree_section.hpp"

#include <array>

#include "gputop/core/scan.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"
#include "logs/words.hpp"

namespace gputop {
namespace {

constexpr std::array<std::string_view, 5> kBranches{"\xE2\x94\x9C", "\xE2\x94\x94", "\xE2\x94\x82", "\xE2\x94\x80",
                                                    " "};  // ├ └ │ ─

bool skip_branch(std::string_view& text) {
  for (const auto branch : kBranches) {
    if (!text.starts_with(branch)) continue;
    skip_front(text, branch.size());
    return true;
  }
  return false;
}

}  // namespace

TreeSection::Data TreeSection::of(std::string_view line) {
  auto text = line;
  while (skip_branch(text)) {
  }
  const bool tree = logs::contains(slice(line, 0, line.size() - text.size()), "\xE2\x94\x80");
  if (!tree) {
    data_ = Data::kUnknown;
    return data_;
  }
  const logs::Words words{logs::trimmed(text)};
  if (words.size() == 1 && logs::is_held_out(words)) data_ = Data::kHeldOut;
  if (words.size() == 1 && logs::is_of_training(words)) data_ = Data::kTraining;
  return data_;
}

}  // namespace gputop
