// A user's prices of cards: see estimator_tables.hpp.
#include "gputop/config/estimator_tables.hpp"
#include "config/entry_fields.hpp"
#include "gputop/config/text_file.hpp"

namespace gputop {

Result<CardPrices> load_prices(const std::string& path, const GpuTable& table) {
  constexpr std::size_t kLargest = 1U << 20U;
  const auto invalid = [&](int line, const std::string& what) {
    return Error{Error::Kind::kInvalid, "--price: " + printable(path) + ":" + std::to_string(line) + ": " + what};
  };
  const auto text = read_text_file(path, kLargest);
  if (!text) return Error{Error::Kind::kInvalid, "--price: " + text.error().message};
  const auto [tree, problem] = read_yaml_tree(*text, path);
  if (problem) return Error{Error::Kind::kInvalid, "--price: " + to_string(*problem)};
  CardPrices prices;
  for (const auto& [name, value] : tree.pairs) {
    const auto card = find_gpu(table, name);
    if (!card) return invalid(value.line, card.error().message);
    const auto price = parse_count(value.scalar);
    if (!value.is_scalar() || !price) return invalid(value.line, printable(name) + ": " + shown_value(value) + " is not a price per hour (try 1.89)");
    prices.emplace_back(card->name, *price);
  }
  if (prices.empty()) return invalid(1, "no card has a price (try RTX 3090: 0.22)");
  return prices;
}

}  // namespace gputop
