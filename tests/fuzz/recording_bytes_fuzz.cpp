// libFuzzer: any bytes as a recording's file: read whole, from the middle, skimmed and only for its GPUs. A first byte
// of 0 makes a well-formed frame of the rest, so that what is inside frames is reached, too.
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gputop/core/scan.hpp"
#include "gputop/store/recording_reader.hpp"

namespace {

std::string as_frame(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), 1));
  return frame;
}

void read_all(gputop::RecordingReader& reader) {
  for (int events = 0; events < 100000 && reader.next() != nullptr; ++events) {
  }
  static_cast<void>(reader.problems());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  std::string_view bytes{reinterpret_cast<const char*>(data), size};
  const bool framed = bytes.starts_with('\0');
  if (framed) skip_front(bytes, 1);
  const std::string file = framed ? as_frame(bytes) : std::string{bytes};
  static const int kept = ::memfd_create("recording", MFD_CLOEXEC);
  if (::ftruncate(kept, 0) != 0 || ::pwrite(kept, file.data(), file.size(), 0) != static_cast<ssize_t>(file.size()))
    std::abort();
  const std::string path = "/proc/self/fd/" + std::to_string(kept);
  for (const int way : {0, 1, 2, 3}) {
    auto reader = RecordingReader::open(path);
    if (!reader) return 0;
    if (way == 1) reader->skim_before(at_seconds(1e6));
    if (way == 2) reader->leave_out_all_but_gpus();
    if (way == 3) reader->seek(at_seconds(4e9));
    read_all(*reader);
  }
  return 0;
}
