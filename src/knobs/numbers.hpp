// Numbers as configuration files write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gputop::knobs {

struct Number {
  std::variant<std::int64_t, double> value;
  bool plain = true;  // decimal without leading zeros: every reader takes it for the same number
};
// "8", "-1", "1_000", "1e-3", ".5", "0x20"; nullopt for anything else, and for what no 64 bits can hold.
std::optional<Number> read_number(std::string_view raw);

std::string shortest(double real);  // the fewest digits that read back as the same number

}  // namespace gputop::knobs
