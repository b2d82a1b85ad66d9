// Something wrong in a user's file: reported with its place, while the default is used instead.
#pragma once

#include <string>

namespace gputop {

struct Problem {
  std::string file;
  int line = 0;  // 1-based; 0: the file as a whole
  std::string text;
  bool operator==(const Problem&) const = default;
};

// "config.yaml:12: interval: "fast" is not a duration (try 500ms)"
inline std::string to_string(const Problem& problem) {
  std::string place = problem.file + ":";
  if (problem.line > 0) place += std::to_string(problem.line) + ":";
  return place + " " + problem.text;
}

}  // namespace gputop
