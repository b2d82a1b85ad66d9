// What `gputop apply` and --auto were asked for. parse.cpp fills it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputop::cli {

struct ApplyOptions {
  std::string recording;             // "": see configs, or the job behind "--"
  std::vector<std::string> configs;  // files to look into, without a run
  std::vector<std::string> changes;  // "batch_size=48"; none: list what there is
  std::vector<std::string> at;
  bool best = false;                         // of estimate: write the batch it found
  std::optional<std::int64_t> accumulation;  // that goes with it
  std::optional<std::uint64_t> world;        // ranks that train together
  bool list_only = false;                    // of undo
  std::size_t number = 1;                    // of undo: which change, the newest first
  bool dry_run = false;
  bool yes = false;
  bool scale = false;
  bool everywhere = false;
  bool all_stages = false;
  bool shared = false;
  bool remember = false;
  bool follow_links = false;
  bool foreign = false;
  bool outside = false;
};

// Of a run: changes made without being asked.
struct AutoOptions {
  bool on = false;
  unsigned max_changes = 3;
  std::vector<std::string> allow;  // knobs; empty: all
};

}  // namespace gputop::cli
