#include "gputop/logs/line_splitter.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace gputop;

namespace {

std::vector<std::string> lines_of(std::string_view bytes, std::size_t piece = 1'000'000) {
  LineSplitter splitter;
  std::vector<std::string> lines;
  const auto sink = [&](const LineSplitter::Line& line) { lines.emplace_back(line.text); };
  for (std::size_t at = 0; at < bytes.size(); at += piece) splitter.feed(at_seconds(0), bytes.substr(at, piece), sink);
  splitter.finish(sink);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("line splitter: lines end with \\n, \\r\\n, and where a carriage return begins anew", "[logs]") {
  CHECK(lines_of("one\ntwo\r\n\nthree") == Lines{"one", "two", "three"});
  CHECK(lines_of("\r 1%\r 2%\r 3%\n") == Lines{" 1%", " 2%", " 3%"});
}

TEST_CASE("line splitter: the same lines wherever the bytes are cut", "[logs]") {
  const std::string text =
      "\x1b[31mred\x1b[0m ██ bar\r\x1b[2K\x1b]0;title\a 41%|█▌| 4/10\r\n\x1b[A\x1b[1;2Hdone\b\b\b\bnext\nlast";
  const auto whole = lines_of(text);
  for (std::size_t piece = 1; piece < 12; ++piece) CHECK(lines_of(text, piece) == whole);
  CHECK(whole == Lines{"red ██ bar", " 41%|█▌| 4/10", "done", "next", "last"});
}

TEST_CASE("line splitter: the bars of tqdm at several positions are lines of their own", "[logs]") {
  // position=1: a newline, the bar, the cursor back up.
  CHECK(lines_of("\router 1/2\n\rinner 1/9\x1b[A\n\rinner 2/9\x1b[A\router 2/2") ==
        Lines{"outer 1/2", "inner 1/9", "inner 2/9", "outer 2/2"});
}

TEST_CASE("line splitter: Keras goes back over its bar by backspaces", "[logs]") {
  CHECK(lines_of("1/9 ━\b\b\b\b\b\r2/9 ━") == Lines{"1/9 ━", "2/9 ━"});
}

TEST_CASE("line splitter: a line without end is bounded, and so is a string without end", "[logs]") {
  const auto lines = lines_of(std::string(200'000, 'x') + "\nnext\n");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].size() == LineSplitter::kLongestLine);
  CHECK(lines[1] == "next");
  CHECK(lines_of("\x1b]0;" + std::string(10'000, 'x') + "\nnext\n").back() == "next");
  CHECK(lines_of("a\x1b]1337;File=:" + std::string(10'000, 'A') + "\ab\n") == Lines{"ab"});
}

TEST_CASE("line splitter: a line has the time of its last text, not of its end", "[logs]") {
  LineSplitter splitter;
  std::vector<Instant> times;
  const auto sink = [&](const LineSplitter::Line& line) { times.push_back(line.at); };
  splitter.feed(at_seconds(1), "\r1/2", sink);
  CHECK(splitter.open_line() == "1/2");
  splitter.feed(at_seconds(9), "\r2/2", sink);
  splitter.finish(sink);
  CHECK(times == std::vector<Instant>{at_seconds(1), at_seconds(9)});
}

TEST_CASE("line splitter: all bytes are harmless", "[logs]") {
  std::string bytes;
  for (int round = 0; round < 64; ++round) {
    for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>((byte * 7 + round * 31) & 0xFF);
  }
  for (const auto& line : lines_of(bytes, 13)) CHECK(line.find('\n') == std::string::npos);
}
