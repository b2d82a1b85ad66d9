// Reads and writes open files; errors name the file.
#pragma once

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>

#include "gputop/base/descriptor.hpp"
#include "gputop/core/result.hpp"

namespace gputop::patch {

// "writing /a/b: No space left on device"
Error failed(std::string_view doing, const std::filesystem::path& path, int reason = errno);

Result<std::string> read_all(int fd, const std::filesystem::path& path);
Status write_all(int fd, std::string_view text, const std::filesystem::path& path);  // and onto the disk

}  // namespace gputop::patch
