// Small text files: read whole, replaced atomically.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "gputop/core/result.hpp"

namespace gputop {

// kNotFound if it does not exist; an error beyond `limit` bytes, and for anything but a regular file.
Result<std::string> read_text_file(const std::filesystem::path& path, std::size_t limit);

// Readers see the old text or the new one, never a part, even after a crash. Missing directories are created. The mode
// of an existing file is kept; a symbolic link is followed and stays.
Status replace_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace gputop
