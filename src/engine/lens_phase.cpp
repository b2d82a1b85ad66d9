#include "engine/lens_phase.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>

#include "gputop/base/descriptor.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr double kStuck = 2.5;      // seconds: longer than all but the slowest steps
constexpr double kSayAgain = 2.5;
constexpr std::size_t kBytes = 17;  // as packed by exchange.py: step, seconds, phase
// As packed by whereabouts.py: since when it has been there, the length of the text, the text.
constexpr std::size_t kPlaceAt = 32;
constexpr std::size_t kPlaceHead = 10;
constexpr std::size_t kFile = 512;

std::string_view name_of(unsigned phase) {
  constexpr std::array<std::string_view, 4> kNames{"", "input", "compute", "exchange"};
  return phase < kNames.size() ? kNames[phase] : kNames[0];
}

// "" where it is unknown, or of another time than this phase.
std::string place_in(std::string_view bytes, double since) {
  const auto head = slice(bytes, kPlaceAt, kPlaceHead);
  if (head.size() < kPlaceHead) return {};
  double written = 0;
  std::uint16_t length = 0;
  std::memcpy(&written, head.data(), sizeof written);
  std::memcpy(&length, head.data() + sizeof written, sizeof length);
  if (written != since) return {};
  return printable(slice(bytes, kPlaceAt + kPlaceHead, length));
}

}  // namespace

std::optional<PhaseNow> read_phase(const std::string& lens_folder, std::int64_t pid) {
  const auto path = lens_folder + "/phase-" + std::to_string(pid);
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (!file) return std::nullopt;
  std::array<char, kFile> bytes{};
  const auto got = ::pread(file.get(), bytes.data(), bytes.size(), 0);
  if (got < static_cast<ssize_t>(kBytes)) return std::nullopt;
  PhaseNow now;
  std::memcpy(&now.step, bytes.data(), sizeof now.step);
  std::memcpy(&now.since, bytes.data() + sizeof now.step, sizeof now.since);
  now.phase = static_cast<unsigned char>(bytes[kBytes - 1]);
  if (!std::isfinite(now.since) || now.phase == 0 || now.phase > 3) return std::nullopt;
  now.place = place_in({bytes.data(), static_cast<std::size_t>(got)}, now.since);
  return now;
}

std::optional<LensPhase> PhaseWatch::look(const PhaseNow& now, double moment) {
  const double seconds = moment - now.since;
  if (now.since != since_ || seconds < kStuck) {
    const bool was_stuck = stuck_;
    since_ = now.since;
    stuck_ = false;
    if (was_stuck) return LensPhase{std::string{name_of(now.phase)}, now.step, 0, ""};
    if (seconds < kStuck) return std::nullopt;
  }
  if (stuck_ && moment - said_at_ < kSayAgain) return std::nullopt;
  stuck_ = true;
  said_at_ = moment;
  return LensPhase{std::string{name_of(now.phase)}, now.step, seconds, now.place};
}

}  // namespace gputop
