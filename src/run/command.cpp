#include "run/command.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace gputop::run {
namespace {

// 0, or the errno that says why this file cannot be executed.
int runnable(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

Error refused(const std::string& file, int error) {
  const auto kind = error == ENOENT || error == ENOTDIR ? Error::Kind::kNotFound : Error::Kind::kPermission;
  std::string hint;
  if (error == EACCES) hint = " (not executable: chmod +x, or name its interpreter, e.g. python " + file + ")";
  return Error{kind, file + ": " + std::strerror(error) + hint};
}

}  // namespace

Result<std::string> resolve_command(const std::string& command, const char* path) {
  if (command.empty()) return Error{Error::Kind::kNotFound, "the command is empty"};
  if (command.find('/') != std::string::npos) {
    if (const int error = runnable(command); error != 0) return refused(command, error);
    return command;
  }
  std::string_view rest = path != nullptr ? path : "/bin:/usr/bin";
  std::string forbidden;
  for (bool more = true; more;) {
    const auto colon = rest.find(':');
    const auto folder = rest.substr(0, colon);
    more = colon != std::string_view::npos;
    rest.remove_prefix(more ? colon + 1 : rest.size());
    const std::string file = (folder.empty() ? std::string{"."} : std::string{folder}) + "/" + command;
    const int error = runnable(file);
    if (error == 0) return file;
    if (error == EACCES && forbidden.empty()) forbidden = file;
  }
  if (!forbidden.empty()) return refused(forbidden, EACCES);
  std::string hint;
  if (runnable(command) != ENOENT) hint = " (there is one here: ./" + command + ")";
  return Error{Error::Kind::kNotFound, command + ": command not found" + hint};
}

}  // namespace gputop::run
