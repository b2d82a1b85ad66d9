// Everything on the screen except the terminal itself: the Model goes in, cells come out; keys go in, effects come out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ftxui/component/event.hpp>
#include <ftxui/screen/screen.hpp>

#include "gputop/app/effect.hpp"
#include "gputop/app/model.hpp"
#include "gputop/app/view.hpp"
#include "gputop/config/settings.hpp"
#include "gputop/config/theme.hpp"
#include "gputop/term/color_depth.hpp"
#include "gputop/term/diff_writer.hpp"
#include "gputop/term/emulator.hpp"
#include "gputop/ui/glyphs.hpp"
#include "gputop/ui/identity.hpp"
#include "gputop/ui/past_output.hpp"

namespace gputop::ui {

// No clock, no I/O, one thread. Owns its view of the Model, borrows the Model for the length of a call.
class Interface {
 public:
  Interface(Settings settings, const Theme& theme, term::ColorDepth depth, GlyphSet glyphs, Identity identity);
  ~Interface();
  Interface(Interface&&) noexcept;
  Interface& operator=(Interface&&) noexcept;

  // Paints every cell of the screen, whatever it held. False: nothing is different from what the last call that returned
  // true painted, and the screen then holds anything. `rows`: when each of its rows changed.
  bool render(const Model& model, ftxui::Screen& screen, term::RowHistory* rows = nullptr);

  // Mouse positions count from 0. Call render() afterwards.
  std::vector<Effect> handle(const ftxui::Event& event, const Model& model);
  // Text from the clipboard; goes where text is being typed, else nowhere.
  std::vector<Effect> paste(std::string_view text);

  // The run's output, borrowed until it is set anew; null: there is no run, and no pane for it.
  void set_output(const term::Emulator* output);
  // What the run's terminal should be: the inside of its pane as it was painted last. nullopt: it is not on the screen.
  struct OutputSize {
    int columns = 0;
    int rows = 0;
    bool operator==(const OutputSize&) const = default;
  };
  [[nodiscard]] std::optional<OutputSize> output_size() const;

  // Older output can be asked for (LookBack).
  void set_recorded(bool recorded);
  void answer(PastAnswer answer);
  // How much of the recording was looked through meanwhile.
  void looked_back(std::uint64_t request, int percent);

  // No theme was chosen: the terminal's background chooses. Its answer may ask for another one.
  void follow_background();
  [[nodiscard]] bool follows_background() const;
  std::vector<Effect> background(std::string_view answer, const Model& model);
  void set_theme(const Theme& theme);
  void set_themes(std::vector<std::string> names);
  // What the configuration got wrong, each with file and line: shown until a key is pressed, and on the setup screen.
  void set_problems(std::vector<std::string> problems);
  // One line for the user, until the next key: how an effect went.
  void notify(std::string text);
  // The same for a MakeChange that was not carried out: the run was not asked to end, and is not waited for.
  void not_made(std::string text);
  // Shows a change; the answer is a MakeChange, unless it is only to be shown.
  void ask(ChangeQuestion question);

  // As they are now, for SaveSettings.
  [[nodiscard]] const Settings& settings() const;

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace gputop::ui
