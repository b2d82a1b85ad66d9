#include "gputop/term/frame_pump.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include <catch2/catch_test_macros.hpp>

#include "unit/term/terminal_model.hpp"

namespace gputop::term {
namespace {

using namespace std::chrono_literals;
using Time = FramePump::Time;

// A pipe as the terminal's line: it takes little, and gives as much as the test reads.
class SlowLine {
 public:
  SlowLine() {
    if (::pipe2(ends_.data(), O_NONBLOCK) == -1) throw std::runtime_error("pipe2");
    ::fcntl(ends_[1], F_SETPIPE_SZ, 4096);
  }
  SlowLine(const SlowLine&) = delete;
  SlowLine& operator=(const SlowLine&) = delete;
  ~SlowLine() {
    for (const int end : ends_) {
      if (end != -1) ::close(end);
    }
  }
  [[nodiscard]] int fd() const { return ends_[1]; }
  [[nodiscard]] std::string read(std::size_t most) const {
    std::string bytes(most, '\0');
    const ssize_t count = ::read(ends_[0], bytes.data(), most);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  void hang_up() {
    ::close(ends_[0]);
    ends_[0] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

constexpr int kWidth = 100;
constexpr int kHeight = 60;

// Every cell says which frame it is of.
Frame numbered(int number) {
  Frame frame{ftxui::Screen{kWidth, kHeight}, std::nullopt};
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x)
      frame.cells.PixelAt(x, y).character = std::string(1, static_cast<char>('0' + number % 10));
  }
  return frame;
}

Frame small(char letter) {
  Frame frame{ftxui::Screen{10, 2}, std::nullopt};
  frame.cells.PixelAt(3, 1).character = std::string(1, letter);
  return frame;
}

TEST_CASE("FramePump: a frame on a fast line is sent at once, the same one again is not", "[term]") {
  const SlowLine line;
  FramePump pump{line.fd(), {}};
  pump.submit(small('a'), Time{});
  CHECK(pump.idle());
  CHECK_FALSE(line.read(10'000).empty());
  pump.submit(small('a'), Time{1s});
  CHECK(line.read(10'000).empty());
  CHECK(pump.counts().frames_sent == 1);
  pump.submit(small('b'), Time{2s});
  CHECK(line.read(10'000) == "\x1b[2;4Hb");
}

TEST_CASE("FramePump: while a frame is under way only the newest waits, and the screen ends right", "[term]") {
  const SlowLine line;
  test::TerminalModel terminal{kWidth, kHeight};
  FramePump pump{line.fd(), {}};
  Time now{};
  int last = 0;
  std::string received;
  for (int step = 0; step < 40; ++step) {
    now += 100ms;
    if (step < 30) pump.submit(numbered(last = step), now);
    received += line.read(700);
    if (pump.wants_write()) pump.on_writable(now);
  }
  for (int step = 0; step < 200 && !pump.idle(); ++step) {
    now += 1s;
    received += line.read(4096);
    if (pump.wants_write())
      pump.on_writable(now);
    else
      pump.on_timer(now);
  }
  received += line.read(100'000);
  CHECK(pump.idle());
  CHECK(pump.counts().frames_replaced > 10);
  REQUIRE_NOTHROW(terminal.write(received));
  for (int x = 0; x < kWidth; ++x)
    REQUIRE(terminal.at(x, kHeight - 1).glyph == std::string(1, static_cast<char>('0' + last % 10)));
}

TEST_CASE("FramePump: on a 2 kB/s line what is shown stays a few seconds behind, not more and more", "[term]") {
  const SlowLine line;
  FramePump pump{line.fd(), {}};
  Time now{};
  std::string received;
  double worst_late = 0;
  // One frame a second changes everything (3 kB); the line carries 200 bytes each 100 ms.
  for (int tick = 0; tick < 3000; ++tick) {
    now += 100ms;
    if (tick % 10 == 0) {
      Frame frame{ftxui::Screen{kWidth, 30}, std::nullopt};
      for (int y = 0; y < 30; ++y) {
        for (int x = 0; x < kWidth; ++x)
          frame.cells.PixelAt(x, y).character = std::string(1, static_cast<char>('A' + tick / 10 % 26));
      }
      pump.submit(std::move(frame), now);
    }
    if (const auto wake = pump.wakes_at(); wake && *wake <= now) pump.on_timer(now);
    received += line.read(200);
    if (pump.wants_write()) pump.on_writable(now);
    if (tick > 1500 && !received.empty()) {
      const auto letter = received.find_last_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
      if (letter == std::string::npos) continue;
      const int shown = received[letter] - 'A';
      const int current = tick / 10 % 26;
      worst_late = std::max(worst_late, static_cast<double>((current - shown + 26) % 26));
    }
    if (received.size() > 10'000) received.erase(0, 5'000);
  }
  CHECK(worst_late <= 4);  // seconds; the kernel's buffer and one frame
  CHECK(pump.counts().frames_replaced > 50);
}

TEST_CASE("FramePump: after a repaint everything is sent again", "[term]") {
  const SlowLine line;
  FramePump pump{line.fd(), {}};
  pump.submit(small('a'), Time{});
  const std::string first = line.read(10'000);
  pump.repaint(Time{1s});
  CHECK(line.read(10'000) == first);
}

TEST_CASE("FramePump: a terminal that answers is given the next frame when it has drawn the last", "[term]") {
  const SlowLine line;
  FramePump pump{line.fd(), {.ask = true}};
  pump.submit(numbered(1), Time{});
  std::string bytes;
  for (int i = 0; i < 100 && pump.wants_write(); ++i) {
    bytes += line.read(4096);
    pump.on_writable(Time{});
  }
  bytes += line.read(4096);
  CHECK(bytes.ends_with("\x1b[5n"));
  CHECK(pump.awaits_reply());
  pump.submit(numbered(2), Time{10ms});
  pump.submit(numbered(3), Time{20ms});
  CHECK(line.read(4096).empty());
  pump.on_reply(Time{30ms});
  CHECK_FALSE(line.read(4096).empty());
  CHECK(pump.counts().frames_replaced == 1);
  CHECK(pump.answer_patience(Time{30ms}) >= 5s);  // it does answer, however slow the line is
}

TEST_CASE("FramePump: a terminal that never answers is not waited for again", "[term]") {
  const SlowLine line;
  FramePump pump{line.fd(), {.ask = true}};
  const auto drain = [&](Time now) {
    std::string bytes;
    for (int i = 0; i < 100; ++i) {
      bytes += line.read(4096);
      if (pump.wants_write()) pump.on_writable(now);
    }
    return bytes;
  };
  pump.submit(numbered(1), Time{});
  CHECK(drain(Time{}).find("\x1b[5n") != std::string::npos);
  pump.submit(numbered(2), Time{10ms});
  REQUIRE(pump.wakes_at());
  CHECK(*pump.wakes_at() <= Time{1s});
  pump.on_timer(*pump.wakes_at());
  CHECK(drain(Time{1s}).find("\x1b[5n") == std::string::npos);
  CHECK(pump.idle());
  CHECK(pump.answer_patience(Time{1s}) == 1s);  // the line may be slow: two seconds after the question
  CHECK(pump.answer_patience(Time{1min}) == 50ms);
}

TEST_CASE("FramePump: a line that hung up is given up", "[term]") {
  ::signal(SIGPIPE, SIG_IGN);
  SlowLine line;
  FramePump pump{line.fd(), {}};
  line.hang_up();
  pump.submit(small('a'), Time{});
  CHECK(pump.failed());
  CHECK(pump.idle());
  CHECK_FALSE(pump.wants_write());
  CHECK_FALSE(pump.wakes_at());
}

TEST_CASE("LineModel: knows nothing until the line was full, then how long it takes", "[term]") {
  LineModel line;
  line.wrote(10'000, Time{});
  line.frame_done(Time{});
  CHECK_FALSE(line.drained_at(Time{}));
  line.wrote(4000, Time{1s});
  line.was_full(Time{1s});
  line.wrote(2000, Time{2s});
  line.frame_done(Time{2s});
  REQUIRE(line.bytes_per_second());
  CHECK(*line.bytes_per_second() == 2000);
  REQUIRE(line.drained_at(Time{2s}));
  CHECK(*line.drained_at(Time{2s}) == Time{4s});
  CHECK_FALSE(line.drained_at(Time{5s}));
}

TEST_CASE("LineModel: a line that stood still is not thought slow for ever", "[term]") {
  LineModel line;
  line.wrote(4000, Time{});
  line.was_full(Time{});
  line.wrote(100, Time{100s});
  line.frame_done(Time{100s});
  REQUIRE(line.drained_at(Time{100s}));
  CHECK(*line.drained_at(Time{100s}) <= Time{105s});
}

}  // namespace
}  // namespace gputop::term
