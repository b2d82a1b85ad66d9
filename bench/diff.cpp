// What a refresh costs on the way to the terminal: bytes and time of difference() at 200×50, for screens like ours.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>

#include <ftxui/screen/screen.hpp>

#include "gputop/term/color_depth.hpp"
#include "gputop/term/diff_writer.hpp"

namespace {

using namespace gputop;
using term::Frame;

constexpr int kWidth = 200;
constexpr int kHeight = 50;

// CPU time, so that a busy machine measures the same.
double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void put(ftxui::Screen& screen, int x, int y, const std::string& text, const ftxui::Color& color) {
  for (const char c : text) {
    screen.PixelAt(x, y).foreground_color = color;
    screen.PixelAt(x++, y).character = std::string(1, c);
  }
}

// A table of readings that all change, and charts that move on by one column.
Frame monitor(int tick, int gpus, bool charts) {
  const auto color = [](int role) {
    return term::color_of({static_cast<std::uint8_t>(90 + role * 20), 175, 255}, term::ColorDepth::kTrueColor);
  };
  Frame frame{ftxui::Screen{kWidth, kHeight}, std::nullopt};
  std::mt19937 random{static_cast<unsigned>(tick)};
  for (int gpu = 0; gpu < gpus; ++gpu) {
    const int x = gpu % 2 * 100;
    const int y = gpu / 2;
    put(frame.cells, x, y, "GPU" + std::to_string(gpu), color(0));
    for (int reading = 0; reading < 8; ++reading) {
      put(frame.cells, x + 8 + reading * 10, y, std::to_string(10 + random() % 90), color(reading % 5));
      put(frame.cells, x + 11 + reading * 10, y, "MHz", color(6));
    }
  }
  for (int y = 34; charts && y < kHeight; ++y) {
    for (int x = 8; x < kWidth - 1; ++x) {
      std::mt19937 column{static_cast<unsigned>(x + tick + 1000 * y)};
      frame.cells.PixelAt(x, y).character = std::string{"\xE2\xA3"} + static_cast<char>(0x80 + column() % 64);
      frame.cells.PixelAt(x, y).foreground_color = color(y % 4);
    }
  }
  return frame;
}

void measure(const char* name, int gpus, bool charts, bool changing) {
  constexpr int kFrames = 50;
  std::size_t bytes = 0;
  double seconds = 0;
  Frame shown = monitor(0, gpus, charts);
  const std::size_t whole = term::difference(nullptr, shown).size();
  for (int tick = 1; tick <= kFrames; ++tick) {
    Frame next = monitor(changing ? tick : 0, gpus, charts);
    const double start = cpu_seconds();
    bytes += term::difference(&shown, next).size();
    seconds += cpu_seconds() - start;
    shown = std::move(next);
  }
  std::printf("%-44s %8zu bytes a refresh (whole frame %6zu) %8.1f us CPU\n", name, bytes / kFrames, whole,
              seconds / kFrames * 1e6);
}

}  // namespace

int main() {
  term::keep_ftxui_from_reducing_colors();
  measure("200x50, nothing changes, 8 GPUs and charts", 8, true, false);
  measure("200x50, all readings change, 1 GPU", 1, false, true);
  measure("200x50, all readings change, 8 GPUs", 8, false, true);
  measure("200x50, all readings change, 64 GPUs", 64, false, true);
  measure("200x50, 8 GPUs, 16 chart rows moving", 8, true, true);
}
