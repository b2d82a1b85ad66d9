// Options as typed: checked and converted after CLI11 is done, so the messages are ours.
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

// Their meaning; an error names the option, the value and what is accepted.
Status convert(const RawOptions& raw, Options& options);

}  // namespace gputop::cli
