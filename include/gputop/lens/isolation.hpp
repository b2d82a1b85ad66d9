// Whether a command starts a Python that ignores PYTHONPATH, where the lens waits.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gputop {

// The option that keeps the lens out ("-I"), for `python -I train.py`, `env X=1 python3 -uE -m pkg`, and so on.
// nullopt: none is visible here.
std::optional<std::string> isolating_option(const std::vector<std::string>& argv);

}  // namespace gputop
