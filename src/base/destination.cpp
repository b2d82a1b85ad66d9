#include "gputop/base/destination.hpp"

#include <utility>

#include "gputop/base/files.hpp"

namespace gputop {

Result<Destination> Destination::open(const std::string& path) {
  if (path.empty()) return Destination{stdout};
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return os_error("cannot write " + path);
  return Destination{file};
}

int Destination::close() {
  if (file_ == stdout || std::fclose(std::exchange(file_, stdout)) == 0) return 0;
  complain(io_error("cannot write the report").message);
  return 1;
}

}  // namespace gputop
