// The helper process: the ordinary NVML source, with its events written to a socket. See nvml_helper.hpp.
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstring>
#include <span>
#include <utility>

#include "gputop/sources/nvml_guard.hpp"
#include "gputop/sources/nvml_helper.hpp"
#include "sources/nvml/helper_words.hpp"
#include "sources/nvml/wire.hpp"

namespace gputop {
namespace {

int helper_socket = -1;  // for the signal handler

void say_last_words(const NvmlDeath& death) {
  std::array<char, 128> note{nvml::kCrashed, static_cast<char>(death.signal)};
  const std::size_t length = ::strnlen(death.function, note.size() - 2);
  std::memcpy(note.data() + 2, death.function, length);
  [[maybe_unused]] const auto sent = ::send(helper_socket, note.data(), length + 2, MSG_NOSIGNAL | MSG_DONTWAIT);
}

template <class Number>
bool read_number(const char* text, Number& number) {
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, number);
  return error == std::errc{} && stopped == end;
}

std::optional<NvmlOptions> options_of(std::span<char*> words) {
  NvmlOptions options;
  long waits_ms = 0;
  if (words.size() < 2 || !read_number(words[1], waits_ms)) return std::nullopt;
  options.library = words[0];
  options.first_reading_waits = std::chrono::milliseconds{waits_ms};
  for (char* const word : words.subspan(2)) {
    unsigned gpu = 0;
    if (read_number(word, gpu)) {
      options.gpus.push_back(gpu);
    } else {
      options.avoid.emplace_back(word);
    }
  }
  return options;
}

}  // namespace

std::optional<int> run_nvml_helper(int argc, char** argv) {
  const std::span<char*> words{argv, static_cast<std::size_t>(argc)};
  if (argc < 3 || words[1] != nvml::kHelperMode || !read_number(words[2], helper_socket)) return std::nullopt;
  auto options = options_of(words.subspan(3));
  if (!options) return std::nullopt;
  ::setsid();  // signals from the terminal's keys must not reach it
  ::prctl(PR_SET_NAME, "gputop-nvml");
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // it is expected to crash
  guard_nvml(say_last_words, false);
  end_at_standstill();
  const auto source = make_nvml_source(*std::move(options));
  bool started = false;
  Instant::rep now = 0;
  while (::recv(helper_socket, &now, sizeof now, 0) == static_cast<ssize_t>(sizeof now)) {
    ++main_loop_turns;
    const Instant at{Instant::duration{now}};
    if (std::exchange(started, true)) {
      source->tick(at);
      [[maybe_unused]] const auto sent = ::send(helper_socket, &nvml::kAlive, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
      continue;
    }
    source->start(at, [](const Event& event) {
      const auto bytes = nvml::encode_event(event);
      if (!bytes.empty()) [[maybe_unused]]
        const auto sent = ::send(helper_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    });
  }
  return 0;  // the parent is gone
}

const char* own_program() {
  constexpr const char* kSelf = "/proc/self/exe";
  if (::access(kSelf, X_OK) == 0) return kSelf;
  const auto* const path = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // NOLINT(performance-no-int-to-ptr)
  return path != nullptr ? path : "";
}

}  // namespace gputop
