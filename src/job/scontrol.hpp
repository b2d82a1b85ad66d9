// The answer of `scontrol show job --oneliner`.
#pragma once

#include <string_view>

namespace gputop::job {

// "… TimeLimit=00:01:00 …" → "00:01:00"; "" where it is not said.
std::string_view scontrol_field(std::string_view answer, std::string_view name);

}  // namespace gputop::job
