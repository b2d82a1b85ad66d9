// Frames as text, and golden files of them. GPUTOP_REWRITE_GOLDEN=1 rewrites the files: look at the difference before
// it is committed.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <ftxui/screen/screen.hpp>

#include "gputop/ui/interface.hpp"

namespace gputop::test {

// Characters only, no trailing spaces.
inline std::string text_of(const ftxui::Screen& screen) {
  std::string text;
  for (int y = 0; y < screen.dimy(); ++y) {
    std::string line;
    for (int x = 0; x < screen.dimx(); ++x) line += screen.PixelAt(x, y).character;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

inline ftxui::Screen blank_screen(int width, int height) {
  return ftxui::Screen{width, height};
}

inline std::string frame(ui::Interface& interface, const Model& model, int width, int height) {
  auto screen = blank_screen(width, height);
  interface.render(model, screen);
  return text_of(screen);
}

inline void check_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path{GPUTOP_GOLDEN} / (name + ".txt");
  if (std::getenv("GPUTOP_REWRITE_GOLDEN") != nullptr) {
    std::ofstream{path} << text;
    SUCCEED();
    return;
  }
  std::ifstream file{path};
  INFO("golden frame " << path.filename() << "; GPUTOP_REWRITE_GOLDEN=1 rewrites it");
  REQUIRE(file);
  std::ostringstream golden;
  golden << file.rdbuf();
  CHECK(text == golden.str());
}

}  // namespace gputop::test
