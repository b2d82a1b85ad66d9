#include "example/progress_bar.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace gputop;

TEST_CASE("progress bar: drawn as tqdm draws it without a known width", "[example]") {
  ProgressBar bar{"Epoch 1/3", 1000, 0, {.terminal = true, .columns = 0, .utf8 = true}};
  CHECK(bar.draw(0, 0, "") == "\rEpoch 1/3:   0%|          | 0/1000 [00:00<?, ?it/s]");
  CHECK_FALSE(bar.draw(1, 0.05, ""));  // less than 0.1 s after the last
  CHECK(bar.draw(410, 20.5, "loss=2.41") ==
        "\rEpoch 1/3:  41%|████      | 410/1000 [00:20<00:29, 20.00it/s, loss=2.41]");
  CHECK(bar.draw(412, 20.6, "loss=2.4").value().starts_with("\rEpoch 1/3:  41%|████      | 412/1000 [00:20<"));
}

TEST_CASE("progress bar: slower than one a second it counts seconds", "[example]") {
  ProgressBar bar{"Epoch 1/3", 10, 0, {.terminal = true, .columns = 0, .utf8 = false}};
  static_cast<void>(bar.draw(0, 0, ""));
  CHECK(bar.draw(1, 2.5, "") == "\rEpoch 1/3:  10%|#         | 1/10 [00:02<00:22,  2.50s/it]");
}

TEST_CASE("progress bar: the end is always drawn", "[example]") {
  ProgressBar bar{"x", 2, 0, {.terminal = true, .columns = 0, .utf8 = false}};
  static_cast<void>(bar.draw(0, 0, ""));
  static_cast<void>(bar.draw(1, 1, ""));
  CHECK(bar.draw(2, 1.01, "").value().starts_with("\rx: 100%|##########| 2/2 ["));
}

TEST_CASE("progress bar: fills the terminal and never more, at any width", "[example]") {
  for (unsigned columns = 1; columns <= 200; ++columns) {
    ProgressBar bar{"Epoch 1/3", 7, 0, {.terminal = true, .columns = columns, .utf8 = false}};
    const auto text = bar.draw(3, 1, "loss=2").value();
    CHECK(text.front() == '\r');
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.size() - 1 <= columns);
    if (columns > 60) CHECK(text.size() - 1 == columns);
  }
}

TEST_CASE("progress bar: what a longer line left is blanked, and a bar can be wiped", "[example]") {
  ProgressBar bar{"v", 10, 0, {.terminal = true, .columns = 0, .utf8 = false}};
  const auto longer = bar.draw(1, 1, "loss=0.12345").value();
  const auto shorter = bar.draw(2, 2, "").value();
  CHECK(shorter.size() >= longer.size());
  CHECK(shorter.ends_with("  "));
  CHECK(bar.erase().starts_with("\r  "));
  CHECK(bar.erase().ends_with(" \r"));
}

TEST_CASE("progress bar: times and numbers as tqdm writes them", "[example]") {
  CHECK(tqdm_time(0) == "00:00");
  CHECK(tqdm_time(61.9) == "01:01");
  CHECK(tqdm_time(3723) == "1:02:03");
  CHECK(tqdm_time(-1) == "00:00");
  CHECK(tqdm_number(2.4123) == "2.41");
  CHECK(tqdm_number(0.001) == "0.001");
  CHECK(tqdm_number(0) == "0");
}

TEST_CASE("progress bar: follows a window that is resized, and never wraps in it", "[example]") {
  ProgressBar bar{"Epoch 1/3", 7, 0, {.terminal = true, .columns = 120, .utf8 = false}};
  CHECK(bar.draw(1, 1, "loss=2").value().size() == 121);
  bar.set_screen({.terminal = true, .columns = 70, .utf8 = false});
  CHECK(bar.draw(2, 2, "loss=2").value().size() == 71);
  bar.set_screen({.terminal = true, .columns = 100, .utf8 = false});
  CHECK(bar.draw(3, 3, "loss=2").value().size() == 101);
}
