#include "gputop/store/recording_follower.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <utility>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/core/scan.hpp"
#include "store/line_encoder.hpp"
#include "store/marker.hpp"

namespace gputop {
namespace {

constexpr std::size_t kPiece = std::size_t{128} << 10U;
constexpr std::uint64_t kShort = std::uint64_t{4} << 20U;  // files up to this size are read in full
constexpr int kMostWindowLog = 23;

// Assembles lines from pieces, skipping those returned before.
class Lines {
 public:
  Lines(const RecordingFollower::TakeLine& take, std::string& rest, std::uint64_t done)
      : take_(take), rest_(rest), done_(done) {
    rest_.clear();
  }
  void add(std::string_view text) {
    const auto old = std::min<std::uint64_t>(text.size(), done_ - std::min(done_, seen_));
    seen_ += text.size();
    text = slice(text, static_cast<std::size_t>(old));
    while (!text.empty()) {
      const auto end = text.find('\n');
      if (end == std::string_view::npos) {
        if (rest_.size() + text.size() <= store::kMaxLine) rest_ += text;
        return;
      }
      give(slice(text, 0, end));
      text = slice(text, end + 1);
    }
  }
  // Up to the end of the last whole line.
  [[nodiscard]] std::uint64_t done() const { return std::max(done_, seen_ - rest_.size()); }

 private:
  void give(std::string_view end) {
    if (rest_.empty()) return take_(end);
    rest_ += end;
    take_(rest_);
    rest_.clear();
  }

  const RecordingFollower::TakeLine& take_;
  std::string& rest_;
  std::uint64_t done_;
  std::uint64_t seen_ = 0;
};

}  // namespace

struct FollowerRoom::Parts {
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context{ZSTD_createDCtx()};
  std::string packed = std::string(kPiece, '\0');
  std::string text = std::string(kPiece, '\0');
  std::string rest;
};

FollowerRoom::FollowerRoom() : parts_(std::make_unique<Parts>()) {
  if (parts_->context) ZSTD_DCtx_setParameter(parts_->context.get(), ZSTD_d_windowLogMax, kMostWindowLog);
}
FollowerRoom::~FollowerRoom() = default;

Result<bool> RecordingFollower::look(FollowerRoom& room, const TakeLine& take) {
  const Descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return io_error(path_);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{Error::Kind::kInvalid, path_ + " is not a file"};
  }
  if (static_cast<std::uint64_t>(status.st_size) == size_) return false;
  size_ = static_cast<std::uint64_t>(status.st_size);
  return read(file.get(), room, take);
}

Result<bool> RecordingFollower::read(int file, FollowerRoom& room, const TakeLine& take) {
  auto& parts = *room.parts_;
  if (!parts.context) return Error{Error::Kind::kUnavailable, path_ + ": no memory for the decompressor"};
  while (true) {
    std::string head(store::kMarkerBytes, '\0');
    if (read_at(file, head.data(), head.size(), frame_) < head.size()) return true;  // the next frame has not started
    if (!store::to_marker(head)) return Error{Error::Kind::kCorrupt, path_ + ": not a recording, or damaged"};
    ZSTD_DCtx_reset(parts.context.get(), ZSTD_reset_session_only);
    Lines lines{take, parts.rest, done_};
    std::uint64_t at = frame_ + store::kMarkerBytes;
    bool ended = false;
    std::size_t wanted = 1;  // block by block, so a torn block does not lose those before it
    while (!ended) {
      const auto got = read_at(file, parts.packed.data(), parts.packed.size(), at);
      if (got == 0) break;
      ZSTD_inBuffer in{parts.packed.data(), 0, 0};
      bool more = true;
      while (!ended && (more || in.pos < got)) {
        if (in.pos == in.size) in.size = std::min(got, in.pos + wanted);
        ZSTD_outBuffer out{parts.text.data(), parts.text.size(), 0};
        const auto result = ZSTD_decompressStream(parts.context.get(), &out, &in);
        if (ZSTD_isError(result) != 0U) return go_on_behind_damage(file, room) ? read(file, room, take) : Result<bool>{true};
        lines.add(slice(std::string_view{parts.text}, 0, out.pos));
        ended = result == 0;
        more = out.pos == out.size;
        wanted = std::max<std::size_t>(1, result);
      }
      at += in.pos;
    }
    if (!ended) {
      done_ = lines.done();
      return true;
    }
    frame_ = at;
    done_ = 0;
    if (!std::exchange(sought_, true) && !all_ && size_ > kShort) frame_ = std::max(frame_, last_frame(file, room));
  }
}

// A killed writer leaves a torn frame, and the next writer starts another one after it.
bool RecordingFollower::go_on_behind_damage(int file, FollowerRoom& room) {
  auto& piece = room.parts_->packed;
  for (std::uint64_t begin = frame_ + store::kMarkerBytes; begin < size_;) {
    const auto got = read_at(file, piece.data(), piece.size(), begin);
    const auto bytes = slice(std::string_view{piece}, 0, got);
    for (auto found = bytes.find(store::kMarkerStart); found != std::string_view::npos;
         found = bytes.find(store::kMarkerStart, found + 1)) {
      if (!store::to_marker(slice(bytes, found))) continue;
      frame_ = begin + found;
      done_ = 0;
      return true;
    }
    if (got < kPiece) break;
    begin += got - store::kMarkerBytes;  // a marker may span two reads
  }
  return false;
}

// Searches backwards from the end.
std::uint64_t RecordingFollower::last_frame(int file, FollowerRoom& room) const {
  auto& piece = room.parts_->packed;
  for (std::uint64_t end = size_; end > 0;) {
    const auto begin = end > kPiece ? end - kPiece : 0;
    const auto got = read_at(file, piece.data(), piece.size(), begin);
    const auto bytes = slice(std::string_view{piece}, 0, got);
    for (auto found = bytes.rfind(store::kMarkerStart); found != std::string_view::npos && found <= got;
         found = found == 0 ? std::string_view::npos : bytes.rfind(store::kMarkerStart, found - 1)) {
      if (store::to_marker(slice(bytes, found))) return begin + found;
    }
    end = begin == 0 ? 0 : begin + store::kMarkerBytes;  // a marker may span two reads
  }
  return 0;
}

}  // namespace gputop
