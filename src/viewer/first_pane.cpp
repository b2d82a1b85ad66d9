#include "gputop/viewer/first_pane.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "gputop/config/environment.hpp"
#include "gputop/term/emulator.hpp"
#include "gputop/term/terminal.hpp"
#include "gputop/viewer/interface_factory.hpp"

namespace gputop {

ui::Interface::OutputSize first_pane(const WatchOptions& options) {
  winsize found{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &found) == -1) found = {};
  const auto [width, height] = term::plausible_size(found.ws_col, found.ws_row, process_environment());
  Model model;
  update(model, {Instant{}, RunStarted{.name = options.name}});
  const term::Emulator nothing_yet{{}};
  auto interface = make_interface(load_preferences(options), {});
  interface.set_output(&nothing_yet);
  ftxui::Screen cells{width, height};
  interface.render(model, cells);
  const auto pane = interface.output_size().value_or(ui::Interface::OutputSize{width, height});
  return {std::max(pane.columns, term::Emulator::kLeastColumns), pane.rows};
}

}  // namespace gputop
