// A reading that may be unknown. Unknown is never zero: it prints as "–" and is null in JSON.
#pragma once

#include <optional>

namespace gputop {

template <class T>
using Reading = std::optional<T>;

}  // namespace gputop
