// A job's output as JSON. Apart from the other rare events, because there may be tens of megabytes of it a second.
#pragma once

#include <string>

#include "gputop/core/event.hpp"

namespace gputop::store {

// {"stream":0,"offset":N,"text":"…"}; "bytes" instead of "text" where it is no UTF-8: byte n is then the character U+00nn.
void write_output(std::string& out, const OutputWritten& output);

}  // namespace gputop::store
