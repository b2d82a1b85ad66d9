#include "run/shared_map.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <new>
#include <utility>

#include "gputop/base/files.hpp"
#include "gputop/base/newer_calls.hpp"
#include "run/syscall.hpp"

namespace gputop::run {

namespace {

// The kernel treats shared memory as a file, so a file size limit meant for the job (ulimit -f) is lifted here.
class WithoutFileSizeLimit {
 public:
  WithoutFileSizeLimit() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit most{before_.rlim_max, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &most);
  }
  ~WithoutFileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  WithoutFileSizeLimit(const WithoutFileSizeLimit&) = delete;
  WithoutFileSizeLimit& operator=(const WithoutFileSizeLimit&) = delete;
  [[nodiscard]] bool allows(std::size_t bytes) const { return before_.rlim_max >= bytes; }

 private:
  rlimit before_{};
};

}  // namespace

Result<Descriptor> SharedMap::create(Mode mode, std::size_t ring_bytes) {
  const std::size_t rings = mode == Mode::kPty ? 1 : 2;
  const std::size_t capacity = (ring_bytes / rings + 4095) / 4096 * 4096;
  const std::size_t bytes = kDataOffset + capacity * rings;
  bool sealable = true;
  Descriptor fd{sys("memfd_create", [&] { return open_memory("gputop-run", sealable); })};
  if (!fd) return io_error("output ring: memfd_create");
  const WithoutFileSizeLimit limit;
  if (!limit.allows(bytes))
    return io_error("output ring of " + std::to_string(bytes) + " bytes (ulimit -f)", EFBIG);
  if (sys("ftruncate", [&] { return ::ftruncate(fd.get(), static_cast<off_t>(bytes)); }) != 0) {
    return io_error("output ring of " + std::to_string(bytes) + " bytes: ftruncate");
  }
  if (sealable && sys("seal", [&] { return ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL); }) != 0) {
    return io_error("output ring: fcntl(F_ADD_SEALS)");
  }
  SharedMap map;
  void* memory = MAP_FAILED;
  if (sys("mmap", [&] {
        memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
        return memory == MAP_FAILED ? -1 : 0;
      }) != 0) {
    return io_error("output ring of " + std::to_string(bytes) + " bytes: mmap");
  }
  map.shared_ = new (memory) SharedRun;
  map.bytes_ = bytes;
  map->mode = mode;
  map->bytes = bytes;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    map->streams[ring].capacity = capacity;
  }
  return fd;
}

Result<SharedMap> SharedMap::map(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return io_error("output ring: fstat");
  const auto bytes = static_cast<std::size_t>(info.st_size);
  if (bytes < kDataOffset) return Error{Error::Kind::kMismatch, "output ring: not made by this version of gputop"};
  void* memory = MAP_FAILED;
  if (sys("map", [&] {
        memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return memory == MAP_FAILED ? -1 : 0;
      }) != 0) {
    return io_error("output ring: mmap");
  }
  SharedMap map;
  map.shared_ = static_cast<SharedRun*>(memory);
  map.bytes_ = bytes;
  if (map->magic != kSharedMagic || map->version != kSharedVersion || map->bytes != bytes) {
    return Error{Error::Kind::kMismatch, "output ring: made by another version of gputop (layout " +
                                             std::to_string(map->version) + ", this one knows " +
                                             std::to_string(kSharedVersion) + ")"};
  }
  map.mode_ = map->mode == Mode::kPty ? Mode::kPty : Mode::kPipes;
  map.capacity_ = (bytes - kDataOffset) / map.streams() / 4096 * 4096;
  if (map.capacity_ == 0) return Error{Error::Kind::kMismatch, "output ring: it has no room"};
  return map;
}

SharedMap::SharedMap(SharedMap&& other) noexcept
    : shared_(std::exchange(other.shared_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      mode_(other.mode_),
      capacity_(other.capacity_) {}

SharedMap& SharedMap::operator=(SharedMap&& other) noexcept {
  std::swap(shared_, other.shared_);
  std::swap(bytes_, other.bytes_);
  mode_ = other.mode_;
  capacity_ = other.capacity_;
  return *this;
}

SharedMap::~SharedMap() {
  if (shared_ != nullptr) ::munmap(shared_, bytes_);
}

}  // namespace gputop::run
