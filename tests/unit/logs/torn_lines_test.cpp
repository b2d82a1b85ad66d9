// Lines as two ranks tear them on one terminal: cut at any byte, glued to the rest of another. Nothing may be read but
// the line.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "gputop/logs/progress.hpp"
#include "gputop/logs/run_log.hpp"

using namespace gputop;

namespace torn_lines {

// The line alone on the heap, so that a sanitizer sees a step beyond it.
void read_alone(std::string_view line) {
  const auto room = std::make_unique<char[]>(line.size());
  std::copy(line.begin(), line.end(), room.get());
  const std::string_view alone{room.get(), line.size()};
  const auto progress = read_progress(alone);
  if (progress && progress->label.size() > line.size()) FAIL(std::string{"a label longer than "} + std::string{line});
}

std::vector<std::string> known_lines() {
  std::vector<std::string> lines;
  for (const auto& entry : std::filesystem::directory_iterator{TRANSCRIPTS_DIR}) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream file{entry.path()};
    for (std::string text; std::getline(file, text);) {
      text = text.substr(0, text.find(" ⟹ "));
      if (!text.empty()) lines.push_back(std::move(text));
    }
  }
  return lines;
}

}  // namespace torn_lines

TEST_CASE("logs: a bar torn within a character is read to its end", "[logs]") {
  for (const std::string_view line :
       {"10/1 \xE2\x94\x81\xE2\x94", "10/1 \xE2\x94\x81\xE2", "7/9 \xE2\x94\x80\xE2\x94"}) {
    torn_lines::read_alone(line);
    RunLog log;
    log.output(Instant{}, OutputWritten{.stream = 0, .offset = 0, .bytes = std::string{line} + "\n"});
    CHECK(log.progress().step.value_or(0) <= 10);
  }
}

TEST_CASE("logs: every known line, cut at every byte", "[logs]") {
  const auto lines = torn_lines::known_lines();
  REQUIRE(lines.size() > 100);
  for (const auto& line : lines) {
    for (std::size_t length = 0; length <= std::min<std::size_t>(line.size(), 120); ++length) {
      torn_lines::read_alone(std::string_view{line}.substr(0, length));
      torn_lines::read_alone(std::string_view{line}.substr(length));
    }
  }
}

TEST_CASE("logs: two known lines, each cut, in one", "[logs]") {
  const auto lines = torn_lines::known_lines();
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const auto& front = lines[i];
    const auto& back = lines[(i * 7 + 3) % lines.size()];
    for (const std::size_t third : {1U, 2U}) {
      torn_lines::read_alone(front.substr(0, front.size() * third / 3) + back.substr(back.size() * third / 3));
    }
  }
}
