#include "gputop/advisor/fact.hpp"

#include <array>

namespace gputop {

std::string_view to_string(FactSource source) {
  static constexpr std::array<std::string_view, 5> kNames = {"guessed", "written", "observed", "printed", "lens"};
  return kNames.at(static_cast<std::size_t>(source));
}

}  // namespace gputop
