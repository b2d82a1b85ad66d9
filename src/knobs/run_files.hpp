// The files that a command line names, and those that these name in turn.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gputop/knobs/finder.hpp"
#include "knobs/command_words.hpp"

namespace gputop::knobs {

struct ReadFile {
  std::string text;
  Document document;
};
using ReadFiles = std::map<std::string, ReadFile, std::less<>>;  // by path

inline constexpr std::size_t kMostFiles = 256;  // most are guesses that are not there

// In the order in which they are found; those that were read are looked into. `files`: all that were asked for so far.
std::vector<WantedFile> run_files(const KnobTable& table,
                                  const std::vector<std::string>& argv,
                                  const CommandWords& command,
                                  std::span<const SourceFile> files,
                                  const ReadFiles& read);

}  // namespace gputop::knobs
