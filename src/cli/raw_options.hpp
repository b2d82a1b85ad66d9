// Options as the user typed them: checked and converted after CLI11 is done, so that messages are ours.
#pragma once

#include <map>
#include <string>

#include "cli/options.hpp"

namespace gputop::cli {

struct RawOptions {
  std::string interval;
  std::string duration;
  std::string gpus;
  std::string speed;
  std::string peak;
  std::string price;
  std::string timeout;
  bool json = false;
  bool csv = false;
  std::map<std::string, std::string, std::less<>> estimate;
  std::string format;
};

// What they mean; an error names the option, what was given and what would do.
Status convert(const RawOptions& raw, Options& options);

}  // namespace gputop::cli
