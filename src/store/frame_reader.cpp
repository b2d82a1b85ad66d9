#include "store/frame_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "gputop/base/files.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::store {
namespace {

constexpr std::size_t kReadBytes = std::size_t{128} << 10U;
constexpr std::size_t kTextBytes = std::size_t{256} << 10U;
// Our own frames need 512 KiB. A larger window is not ours, or is malicious.
constexpr int kMostWindowLog = 23;
constexpr std::uint32_t kZstdMagic = 0xFD2FB528U;
constexpr std::uint32_t kSkippableMagic = 0x184D2A50U;  // to …5F
constexpr std::size_t kSkippableHeader = 8;
constexpr std::size_t kBlockHeader = 3;
// How much is searched in vain for the next frame, in all: a file of holes may have terabytes. Frames that are no further
// apart than ours ever are cost nothing.
constexpr std::uint64_t kMostSearched = std::uint64_t{256} << 20U;
constexpr std::uint64_t kFrameBytes = std::uint64_t{16} << 20U;

}  // namespace

Result<std::unique_ptr<FrameReader>> FrameReader::open(const std::string& path, std::uint64_t most) {
  // Non-blocking, so a FIFO without a writer is refused instead of blocking.
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return os_error(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{Error::Kind::kInvalid, path + " is not a file, so it cannot be a recording"};
  }
  ZSTD_DCtx* context = ZSTD_createDCtx();
  if (context == nullptr) return Error{Error::Kind::kUnavailable, path + ": no memory for the decompressor"};
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kMostWindowLog);
  return std::unique_ptr<FrameReader>{new FrameReader(std::move(file), context, most)};
}

FrameReader::FrameReader(Descriptor file, ZSTD_DCtx_s* context, std::uint64_t most)
    : file_(std::move(file)), context_(context), most_(most), unpacked_(kTextBytes, '\0') {}

FrameReader::~FrameReader() {
  ZSTD_freeDCtx(context_);
}

std::size_t FrameReader::available(std::size_t count) {
  if (buffer_.size() - used_ >= count) return buffer_.size() - used_;
  buffer_offset_ += used_;
  buffer_.erase(0, used_);
  used_ = 0;
  std::size_t filled = buffer_.size();
  buffer_.resize(std::max(count, kReadBytes));
  while (filled < count) {
    const std::uint64_t from = buffer_offset_ + filled;
    const std::uint64_t room = std::min<std::uint64_t>(buffer_.size() - filled, most_ > from ? most_ - from : 0);
    const std::size_t got = read_at(file_.get(), buffer_.data() + filled, static_cast<std::size_t>(room), from);
    if (got == 0) break;
    filled += got;
  }
  buffer_.resize(filled);
  return filled;
}

FrameReader::Step FrameReader::next(std::string& text) {
  return in_frame_ ? within_frame(text) : between_frames();
}

FrameReader::Step FrameReader::between_frames() {
  frame_offset_ = offset();
  const std::size_t left = available(kMarkerBytes);
  if (left == 0) return Step::kEnd;
  if (left < 4) return Step::kCutOff;
  const std::string_view bytes = slice(std::string_view{buffer_}, used_);
  if (const auto found = to_marker(bytes)) {
    marker_ = *found;
    used_ += kMarkerBytes;
    return Step::kMarker;
  }
  const std::uint32_t magic = read_little_endian_32(bytes);
  if (magic == kZstdMagic) {
    ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
    in_frame_ = true;
    wanted_ = 1;
    return Step::kText;
  }
  if ((magic & ~0xFU) != kSkippableMagic) return Step::kDamaged;
  const bool ours = magic == read_little_endian_32(kMarkerStart);  // left unfinished by a killed writer
  if (ours) return left < kMarkerBytes ? Step::kCutOff : Step::kDamaged;
  return step_over();
}

// Another program's skippable frame.
FrameReader::Step FrameReader::step_over() {
  if (available(kSkippableHeader) < kSkippableHeader) return Step::kCutOff;
  const std::uint64_t end =
      offset() + kSkippableHeader + read_little_endian_32(slice(std::string_view{buffer_}, used_ + 4));
  if (end > size()) return Step::kDamaged;
  go_to(end);
  return Step::kText;
}

FrameReader::Step FrameReader::within_frame(std::string& text) {
  const std::size_t left = std::min(available(wanted_), wanted_);
  // The decompressor may hold back text after the last input byte, so drain it before reporting the end.
  ZSTD_inBuffer in{buffer_.data() + used_, left, 0};
  ZSTD_outBuffer out{unpacked_.data(), unpacked_.size(), 0};
  const std::size_t result = ZSTD_decompressStream(context_, &out, &in);
  text.append(unpacked_, 0, out.pos);
  used_ += in.pos;
  if (ZSTD_isError(result) != 0U) {
    in_frame_ = false;
    return Step::kDamaged;
  }
  if (result == 0) {
    in_frame_ = false;
    return Step::kFrameEnd;
  }
  // One block at a time: on an error the decompressor discards what it unpacked in the same call. It asks for one block
  // plus the header of the next.
  wanted_ = result > kBlockHeader ? result - kBlockHeader : result;
  if (left == 0 && out.pos == 0) {
    in_frame_ = false;
    return Step::kCutOff;
  }
  return Step::kText;
}

void FrameReader::go_to(std::uint64_t offset) {
  buffer_.clear();
  used_ = 0;
  buffer_offset_ = offset;
  in_frame_ = false;
}

std::optional<FrameReader::Mark> FrameReader::find_marker(std::uint64_t from, std::uint64_t to) {
  if (from >= buffer_offset_ && from <= buffer_offset_ + buffer_.size()) {
    used_ = static_cast<std::size_t>(from - buffer_offset_);  // the buffer may contain many frames
    in_frame_ = false;
  } else {
    go_to(from);
  }
  for (auto at = offset(); offset() < to && available(kMarkerBytes) >= kMarkerBytes;) {
    searched_ += offset() - std::exchange(at, offset());
    if (searched_ > kMostSearched) break;
    const std::string_view bytes{buffer_};
    const std::size_t found = bytes.find(kMarkerStart, used_);
    if (found == std::string_view::npos) {
      used_ = bytes.size() - (kMarkerBytes - 1);  // a marker may begin in the last bytes
      continue;
    }
    used_ = found;
    if (offset() >= to || available(kMarkerBytes) < kMarkerBytes) break;
    if (const auto marker = to_marker(slice(std::string_view{buffer_}, used_))) {
      searched_ -= std::min(searched_, kFrameBytes);
      return Mark{offset(), *marker};
    }
    ++used_;
  }
  return std::nullopt;
}

std::optional<FrameReader::Mark> FrameReader::last_mark(std::uint64_t before) {
  constexpr std::uint64_t kStretch = std::uint64_t{1} << 20U;
  for (std::uint64_t end = before; end > 0 && searched_ <= kMostSearched;) {
    const std::uint64_t begin = end > kStretch ? end - kStretch : 0;
    std::optional<Mark> last;
    for (auto mark = find_marker(begin, end); mark; mark = find_marker(mark->offset + kMarkerBytes, end)) last = mark;
    if (last) return last;
    end = begin;
  }
  return std::nullopt;
}

std::uint64_t FrameReader::size() const {
  struct stat status {};
  return ::fstat(file_.get(), &status) == 0 ? std::min(most_, static_cast<std::uint64_t>(status.st_size)) : 0;
}

std::optional<Marker> FrameReader::resynchronise() {
  const auto mark = find_marker(frame_offset_ + 1);
  in_frame_ = false;
  if (!mark) return std::nullopt;
  return mark->marker;
}

std::vector<FrameReader::Mark> FrameReader::marks() {
  std::vector<Mark> result;
  for (std::uint64_t from = 0;;) {
    const auto mark = find_marker(from);
    if (!mark) return result;
    result.push_back(*mark);
    from = mark->offset + kMarkerBytes;
  }
}

}  // namespace gputop::store
