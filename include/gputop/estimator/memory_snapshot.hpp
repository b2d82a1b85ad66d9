// What torch.cuda.memory._snapshot() recorded of one device: its segments as they were, and what happened before. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"
#include "gputop/estimator/allocator.hpp"

namespace gputop {

struct SnapshotEvent {
  enum class Action : std::uint8_t { kAllocate, kFree, kSegment, kSegmentGone, kOutOfMemory };
  Action action = Action::kAllocate;
  std::uint32_t site = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;  // as asked for
  std::uint64_t time_us = 0;
};

struct SnapshotBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;      // of the block
  std::uint64_t requested = 0;  // 0: unused
  std::uint32_t site = 0;
};

struct SnapshotSegment {
  std::uint64_t bytes = 0;
  std::vector<SnapshotBlock> blocks;
};

struct MemorySnapshot {
  unsigned device = 0;
  unsigned devices = 0;  // that have segments or events
  unsigned streams = 0;  // that this one's events name
  std::vector<SnapshotEvent> events;
  std::vector<SnapshotSegment> segments;
  std::vector<std::string> sites;  // "train.py:12 (forward)"; the first is "", for no known line
  AllocatorOptions options;
  std::string settings;  // PYTORCH_CUDA_ALLOC_CONF
};

// Of the device with the most events, or the most memory. `bytes` is the file's content.
Result<MemorySnapshot> read_memory_snapshot(std::string_view bytes);

struct SnapshotMoment {
  Bytes allocated;
  Bytes reserved;
};

struct SnapshotSite {
  std::string site;
  Bytes bytes;
  std::uint64_t blocks = 0;
};

struct SnapshotStory {
  Bytes before;  // allocated when the record begins
  Bytes peak_allocated;
  Bytes peak_reserved;
  std::size_t peak_event = 0;             // 0: before the first event
  std::optional<double> peak_seconds;     // since the first event
  std::optional<double> seconds;          // of the whole record
  std::vector<SnapshotSite> sites;        // that held most at the peak, the largest first
  std::vector<SnapshotMoment> timeline;   // the highest point of each of 240 equal parts of the record
  SnapshotMoment end;                     // when the snapshot was taken
  Bytes unused_in_used_segments;          // at the end: what cannot be given back to the driver
  Bytes largest_unused;                   // the largest request that needs no new segment at the end
  std::size_t segments = 0;
  std::vector<Bytes> out_of_memory;       // requests that failed
  std::optional<Bytes> simulated_reserved;  // the same events in gputop's simulated allocator: its peak
};
SnapshotStory explain(const MemorySnapshot& snapshot);

}  // namespace gputop
