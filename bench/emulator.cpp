// MB/s of CPU time (the machine may be busy) through the output pane's emulator, for what training runs print, and what
// reading a screen costs.
#include <cstdio>
#include <ctime>
#include <string>

#include "gputop/term/emulator.hpp"

using namespace gputop;

namespace {

constexpr std::size_t kBytes = 32U << 20U;

std::string log_lines() {
  std::string text;
  for (int i = 0; text.size() < 1U << 20U; ++i) {
    text += "iter " + std::to_string(i) + ": loss 3.1234, time 12.30ms, mfu 30.12%, lr 1e-3, grad_norm 1.25\r\n";
  }
  return text;
}

std::string coloured_lines() {
  std::string text;
  for (int i = 0; text.size() < 1U << 20U; ++i) {
    text += "\x1b[32mINFO\x1b[0m \x1b[2mtrain.py:" + std::to_string(i % 900) + "\x1b[0m step=" + std::to_string(i) +
            " \x1b[1;31mloss\x1b[0m=0.41\r\n";
  }
  return text;
}

std::string progress_bars() {
  std::string text;
  for (int i = 0; text.size() < 1U << 20U; ++i) {
    text += "\r 76%|\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x8F   | " + std::to_string(i) +
            "/10000 [00:33<00:10, 229.00it/s]";
  }
  return text;
}

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void measure(const char* name, const std::string& text, int columns, int rows) {
  term::Emulator terminal{{.columns = columns, .rows = rows}};
  auto start = std::clock();
  std::size_t fed = 0;
  for (; fed < kBytes; fed += text.size()) {
    for (std::size_t at = 0; at < text.size(); at += 1U << 16U) {
      terminal.feed(std::string_view{text}.substr(at, 1U << 16U));
    }
  }
  const double feeding = seconds_since(start);
  constexpr int kReads = 200;
  std::size_t seen = 0;
  start = std::clock();
  for (int i = 0; i < kReads; ++i) {
    terminal.feed("x");
    seen += terminal.text(terminal.screen_line(), terminal.end_line()).size();
  }
  std::printf("%-16s %4dx%-3d %7.1f MB/s   screen read in %6.1f us (%zu bytes)\n", name, columns, rows,
              static_cast<double>(fed) / 1e6 / feeding, seconds_since(start) * 1e6 / kReads, seen / kReads);
}

}  // namespace

int main() {
  for (const auto& [columns, rows] : {std::pair{80, 24}, std::pair{140, 30}}) {
    measure("log lines", log_lines(), columns, rows);
    measure("no newline", std::string(1U << 20U, 'x'), columns, rows);
    measure("coloured lines", coloured_lines(), columns, rows);
    measure("progress bars", progress_bars(), columns, rows);
  }
}
