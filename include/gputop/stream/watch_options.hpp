// What to watch and how, as plain values shared by everything that reads GPUs. The command line fills them in.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "gputop/sources/nvml_helper.hpp"

namespace gputop {

struct WatchOptions {
  std::string source = "auto";
  bool demo = false;
  std::optional<NvmlCrash> nvml_crash{};  // the driver's library has crashed this process before
  std::chrono::steady_clock::time_point since =
      std::chrono::steady_clock::now();               // start time, possibly before that crash
  std::optional<std::chrono::milliseconds> interval;  // nullopt: from the settings
  std::optional<std::chrono::milliseconds> duration;  // stop after this time
  std::string record;                                 // file to record into; "" = none
  bool headless = false;
  bool csv = false;  // CSV instead of lines
  bool readonly = false;
  bool lens = true;            // put the lens into the run
  std::vector<unsigned> gpus;  // empty: all
  std::string theme;           // "": from the settings
  std::string config;          // "": the XDG path
  std::string recording;       // to replay; "": live readings
  std::optional<double> peak;  // FLOP/s of one GPU, given by the user
  std::optional<double> price_per_kwh;   // in any currency
  std::optional<double> price_per_hour;  // of one GPU
  std::string name;                      // of the run, shown to the user; "": from its command
};

}  // namespace gputop
