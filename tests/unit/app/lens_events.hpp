// Short ways to write what a lens says, for the Model's tests.
#pragma once

#include "model_events.hpp"

namespace gputop {

inline LensReported from_lens(std::int64_t pid, LensMessage message) {
  return {pid, std::move(message)};
}

inline LensLoader loader(unsigned id, std::uint64_t batch = 32, unsigned workers = 2) {
  LensLoader value;
  value.id = id;
  value.site = "train.py:" + std::to_string(id);
  value.batch_size = batch;
  value.workers = workers;
  return value;
}

// `batches` so far, each with so many milliseconds of waiting and of computing.
inline LensTick tick(std::uint64_t batches, double wait_ms, double user_ms, unsigned loader_id = 1) {
  LensLoaderTick counts;
  counts.id = loader_id;
  counts.batches = counts.steps = batches;
  counts.wait = static_cast<double>(batches) * wait_ms / 1e3;
  counts.user = static_cast<double>(batches) * user_ms / 1e3;
  counts.batch = 32;
  LensTick value;
  value.steps = batches;
  value.loaders = {counts};
  return value;
}

inline RunStarted run_of(std::int64_t pid) {
  RunStarted started;
  started.id = "r";
  started.pid = pid;
  return started;
}

inline ProcessReading in_tree(std::int64_t pid,
                              std::int64_t parent,
                              std::string command,
                              double cpu = 50,
                              char state = 'S') {
  auto reading = process(pid, std::move(command));
  reading.parent = parent;
  reading.root = 100;
  reading.cpu = Percent{cpu};
  reading.state = state;
  return reading;
}

}  // namespace gputop
