// Finds a line in the output of a recording, and puts it on a terminal with the lines around it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/app/effect.hpp"
#include "gputop/store/recorded_output.hpp"
#include "gputop/ui/past_output.hpp"

namespace gputop {

// Reads frame by frame, newest or oldest first, and emulates only stretches that contain the text. One thread.
class OutputSearch {
 public:
  struct Options {
    int columns = 80;
    int rows = 24;
    bool newline_returns = false;
    // Output after this position is not searched: it is available without the recording.
    std::uint64_t edge = 0;
  };
  // Called now and then with the progress; false: stop.
  using Progress = std::function<bool(int percent)>;

  OutputSearch(RecordedOutput recorded, Options options, Progress progress);

  // nullptr: nothing found, or stopped.
  std::unique_ptr<ui::PastOutput> find(const LookBack& wanted);

 private:
  // The frame's whole lines: without the end of a line that began in an earlier frame, but with the end of its last
  // line.
  struct Text {
    OutputFrame frame;
    std::string bytes;
    std::uint64_t begin = 0;  // position
    [[nodiscard]] std::uint64_t end() const { return begin + bytes.size(); }
  };
  struct Stretch {
    std::string before;  // lines around it
    std::string bytes;
    std::string behind;
    std::uint64_t begin = 0;
    std::uint64_t frame = 0;
    Instant at;
  };
  static Text text_of(OutputFrame frame, std::string_view next);
  std::unique_ptr<ui::PastOutput> find_older(const LookBack& wanted, std::uint64_t before);
  std::unique_ptr<ui::PastOutput> find_newer(const LookBack& wanted, std::uint64_t from);
  std::unique_ptr<ui::PastOutput> page_older(const LookBack& wanted, std::uint64_t before);
  std::unique_ptr<ui::PastOutput> page_newer(const LookBack& wanted, std::uint64_t from);
  // Searches a block of the text: its lines as they look on a terminal.
  std::unique_ptr<ui::PastOutput> look_at(const LookBack& wanted, const Text& text, std::size_t from, std::size_t to);
  [[nodiscard]] std::unique_ptr<ui::PastOutput> show(const Stretch& stretch) const;
  // Adds lines from the frames before and after, up to so many bytes.
  std::string with_older(std::string bytes, std::uint64_t offset, std::size_t most);
  std::string with_newer(std::string bytes, std::uint64_t offset, std::size_t most);
  bool go_on(std::uint64_t done, std::uint64_t all);

  RecordedOutput recorded_;
  Options options_;
  Progress progress_;
};

}  // namespace gputop
