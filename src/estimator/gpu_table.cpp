#include "gputop/estimator/gpu_table.hpp"

#include <algorithm>
#include <cctype>

#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"

namespace gputop {
namespace {

// Splits words and numbers: "rtx3090ti" → rtx 3090 ti; "A100-SXM4-80GB" → a 100 sxm 4 80 gb. Drops manufacturers'
// names.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  char last = ' ';
  const auto kind = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 ? 'd' : 'a'; };
  for (const char raw : name) {
    const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(raw)));
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      last = ' ';
      continue;
    }
    if (last == ' ' || kind(c) != kind(last)) words.emplace_back();
    words.back() += c;
    last = c;
  }
  const auto noise = [](const std::string& word) {
    for (const std::string_view maker : {"nvidia", "geforce", "tesla", "graphics", "gpu", "generation"}) {
      if (word == maker) return true;
    }
    return false;
  };
  std::erase_if(words, noise);
  return words;
}

// Whether `some` is a subsequence: "A100 80GB" in "A100-SXM4-80GB".
bool contains(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  auto at = all.begin();
  for (const auto& word : some) {
    at = std::find(at, all.end(), word);
    if (at == all.end()) return false;
    ++at;
  }
  return true;
}

// The distance of a card from the request: "Ti" or "Laptop" is a different card; a memory size only distinguishes two
// variants.
std::size_t distance(const std::vector<std::string>& card, const std::vector<std::string>& wanted) {
  constexpr std::size_t kOther = 10;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < card.size(); ++i) {
    if (std::find(wanted.begin(), wanted.end(), card[i]) != wanted.end()) continue;
    const bool size = card[i] == "gb" || (i + 1 < card.size() && card[i + 1] == "gb");
    sum += size ? 0 : kOther;
  }
  return sum;
}

std::string list(const std::vector<const GpuCard*>& cards) {
  std::string text;
  for (const auto* card : cards) text += (text.empty() ? "" : ", ") + card->name;
  return text;
}

Error unknown(const GpuTable& table, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& card : table.cards) names.push_back(card.name);
  auto meant = did_you_mean(name, names);
  if (meant.empty()) {
    // Cards of its series ("RTX", "Quadro"), as many as fit on a line.
    constexpr std::size_t kFew = 8;
    const auto wanted = words_of(name);
    std::vector<const GpuCard*> kin;
    for (const auto& card : table.cards) {
      const auto words = words_of(card.name);
      if (kin.size() < kFew && !wanted.empty() && std::find(words.begin(), words.end(), wanted.front()) != words.end())
        kin.push_back(&card);
    }
    if (!kin.empty()) meant = " (there are " + list(kin) + ", …)";
  }
  return {Error::Kind::kNotFound, "no GPU is called \"" + printable(name.substr(0, 60)) + '"' + meant +
                                      "; give its memory instead (--gpu-memory 24)"};
}

}  // namespace

Result<GpuCard> find_gpu(const GpuTable& table, std::string_view name) {
  const auto wanted = words_of(name);
  if (wanted.empty()) return unknown(table, name);
  std::vector<const GpuCard*> found;
  for (const auto& card : table.cards) {
    if (words_of(card.name) == wanted) return card;
  }
  // The card with the fewest extra words, or the one whose name is contained in the driver's longer one.
  std::size_t fewest = 0;
  const auto offer = [&](const GpuCard& card, std::size_t extra) {
    if (found.empty() || extra < fewest) found.clear();
    if (found.empty() || extra == fewest) {
      fewest = extra;
      found.push_back(&card);
    }
  };
  for (const auto& card : table.cards) {
    const auto words = words_of(card.name);
    if (contains(words, wanted)) offer(card, distance(words, wanted));
  }
  if (found.empty()) {
    for (const auto& card : table.cards) {
      const auto words = words_of(card.name);
      if (contains(wanted, words)) offer(card, wanted.size() - words.size());
    }
  }
  if (found.empty()) return unknown(table, name);
  const bool alike = std::all_of(found.begin(), found.end(), [&](const GpuCard* card) {
    return card->memory == found.front()->memory && card->capability == found.front()->capability;
  });
  if (alike) return *found.front();
  return Error{Error::Kind::kInvalid, '"' + printable(name) + "\" may be " + list(found) + ": say which"};
}

}  // namespace gputop
