// libFuzzer: any bytes into the output pane's emulator, cut anywhere, between resizes; read back as the pane reads it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/core/format.hpp"
#include "gputop/term/emulator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gputop::term::Emulator;
  std::string_view bytes{reinterpret_cast<const char*>(data), size};
  Emulator terminal{{.columns = 20, .rows = 5, .scrollback = 50}};
  while (!bytes.empty()) {
    const auto head = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (head >= 0xF8) {
      terminal.resize(head % 3 * 17, head % 5 * 3);
      continue;
    }
    terminal.feed(bytes.substr(0, head));
    bytes.remove_prefix(std::min<std::size_t>(head, bytes.size()));
  }
  if (terminal.end_line() - terminal.first_line() > 50U + static_cast<unsigned>(terminal.rows())) std::abort();
  for (auto i = terminal.first_line(); i < terminal.end_line(); ++i) {
    const auto& line = terminal.line(i);
    if (gputop::printable(line.text) != line.text) std::abort();
    line.for_each_cell([&](int, std::string_view, int, const gputop::term::OutputStyle&) {});
  }
  return 0;
}
