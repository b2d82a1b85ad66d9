#include "gputop/base/destination.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace gputop {

Result<Destination> Destination::open(const std::string& path) {
  if (path.empty()) return Destination{stdout};
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return Error{Error::Kind::kIo, path + ": cannot be written: " + std::strerror(errno)};
  return Destination{file};
}

int Destination::close() {
  if (file_ == stdout || std::fclose(std::exchange(file_, stdout)) == 0) return 0;
  complain(std::string{"cannot write the report: "} + std::strerror(errno));
  return 1;
}

}  // namespace gputop
