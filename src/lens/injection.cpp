#include "gputop/lens/injection.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

Status make_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return io_error(path.string());
  return success();
}

Status write_file(const fs::path& path, std::string_view text) {
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
  if (!file || !write_whole(file.get(), text)) return io_error(path.string());
  return success();
}

}  // namespace

Status write_lens(const fs::path& folder, const std::vector<LensFile>& files) {
  if (auto made = make_folder(folder); !made) return made;
  for (const auto& file : files) {
    const auto path = folder / file.path;
    if (auto made = make_folder(path.parent_path()); !made) return made;
    if (auto written = write_file(path, file.text); !written) return written;
  }
  return success();
}

std::vector<std::pair<std::string, std::string>> lens_environment(const LensLaunch& launch) {
  auto path = (launch.folder / "inject").string();
  if (!launch.python_path.empty()) path += ":" + launch.python_path;
  std::vector<std::pair<std::string, std::string>> variables{{"PYTHONPATH", path},
                                                             {"GPUTOP_LENS_SOCKET", launch.socket.string()}};
  if (!launch.overrides.empty()) variables.emplace_back("GPUTOP_LENS_SET", launch.overrides);
  return variables;
}

}  // namespace gputop
