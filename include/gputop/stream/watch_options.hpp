// What is watched and how, as plain values: shared by everything that reads GPUs. The command line fills it.
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
  std::optional<NvmlCrash> nvml_crash{};              // the driver's library has taken us down before
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();  // this began, perhaps before that
  std::optional<std::chrono::milliseconds> interval;  // nullopt: what the settings say
  std::optional<std::chrono::milliseconds> duration;  // stop after
  std::string record;                                 // file to record into; "" = do not
  bool headless = false;
  bool csv = false;  // CSV instead of lines
  bool readonly = false;
  bool lens = true;            // put the lens into the run
  std::vector<unsigned> gpus;  // empty: all
  std::string theme;           // "": what the settings say
  std::string config;          // "": the XDG path
  std::string recording;       // that is replayed; "": what is there now
  std::optional<double> peak;            // FLOP/s of one GPU, assumed
  std::optional<double> price_per_kwh;   // in any currency
  std::optional<double> price_per_hour;  // of one GPU
  std::string name;            // of the run, for people; "": by its command
};

}  // namespace gputop
