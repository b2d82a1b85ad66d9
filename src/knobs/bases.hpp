// Configurations that a configuration is made of: _base_, _BASE_, include, and relative imports of Python ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gputop/knobs/document.hpp"

namespace gputop::knobs {

// A key whose values name bases.
bool names_base(const std::vector<std::string>& path);

// Their paths, from where `file` is. Of a Python file that is a script, imports are among them, too.
std::vector<std::string> bases_of(std::string_view file, std::string_view text, const Document& document);

}  // namespace gputop::knobs
