// torch's memory snapshot: which entries of the pickle are read, and what they mean.
#include "gputop/estimator/memory_snapshot.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "estimator/pickle.hpp"

namespace gputop {
namespace {

using Action = SnapshotEvent::Action;

class SnapshotReader {
 public:
  explicit SnapshotReader(const Pickle& pickle) : pickle_{pickle} { snapshot_.sites.emplace_back(); }

  Result<MemorySnapshot> run() {
    const auto& root = pickle_.root();
    const auto segments = pickle_.member(root, "segments");
    const auto traces = pickle_.member(root, "device_traces");
    if (segments.kind != PickleValue::Kind::kList) return wrong("it has no segments");
    choose(segments, traces);
    for (const auto& segment : pickle_.list(segments))
      if (number(segment, "device").value_or(0) == snapshot_.device && !read_segment(segment)) return wrong("a segment without address and size");
    const auto& devices = pickle_.list(traces);
    if (snapshot_.device < devices.size()) {
      for (const auto& entry : pickle_.list(devices[snapshot_.device])) read_event(entry);
    }
    snapshot_.streams = static_cast<unsigned>(streams_.size());
    read_settings(pickle_.member(root, "allocator_settings"));
    if (snapshot_.segments.empty() && snapshot_.events.empty()) return wrong("it has neither segments nor events: was the GPU used before it was taken?");
    return std::move(snapshot_);
  }

 private:
  static Error wrong(const std::string& what) {
    return Error{Error::Kind::kCorrupt, "not a snapshot of torch.cuda.memory: " + what};
  }

  std::optional<std::uint64_t> number(const PickleValue& entry, std::string_view key) const {
    return Pickle::count(pickle_.member(entry, key));
  }

  void choose(const PickleValue& segments, const PickleValue& traces) {
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> devices;  // events, bytes
    for (const auto& segment : pickle_.list(segments))
      devices[number(segment, "device").value_or(0)].second += number(segment, "total_size").value_or(0);
    std::uint64_t index = 0;
    for (const auto& trace : pickle_.list(traces)) {
      if (const auto events = pickle_.list(trace).size(); events > 0) devices[index].first = events;
      ++index;
    }
    std::pair<std::uint64_t, std::uint64_t> most;
    for (const auto& [device, weight] : devices) {
      if (device >= (1U << 16U) || weight < most) continue;
      most = weight;
      snapshot_.device = static_cast<unsigned>(device);
    }
    snapshot_.devices = static_cast<unsigned>(devices.size());
  }

  bool read_segment(const PickleValue& entry) {
    const auto bytes = number(entry, "total_size");
    const auto address = number(entry, "address");
    if (!bytes || !address) return false;
    SnapshotSegment segment{*bytes, {}};
    auto next = *address;
    for (const auto& one : pickle_.list(pickle_.member(entry, "blocks"))) {
      const auto size = number(one, "size").value_or(0);
      const auto at = number(one, "address").value_or(next);  // absent before torch 2.1
      const bool used = pickle_.text(pickle_.member(one, "state")) != "inactive";
      SnapshotBlock block{at, size, 0, 0};
      if (used) block.requested = number(one, "requested_size").value_or(size);
      if (used) block.site = site_of(pickle_.member(one, "frames"));
      segment.blocks.push_back(block);
      next = at + size;
    }
    snapshot_.segments.push_back(std::move(segment));
    return true;
  }

  void read_event(const PickleValue& entry) {
    const auto action = pickle_.text(pickle_.member(entry, "action"));
    SnapshotEvent event;
    if (action == "alloc") event.action = Action::kAllocate;
    else if (action == "free_completed") event.action = Action::kFree;
    else if (action == "segment_alloc" || action == "segment_map") event.action = Action::kSegment;
    else if (action == "segment_free" || action == "segment_unmap") event.action = Action::kSegmentGone;
    else if (action == "oom") event.action = Action::kOutOfMemory;
    else return;  // free_requested comes before free_completed; snapshot, workspace_snapshot
    event.address = number(entry, "addr").value_or(0);
    event.bytes = number(entry, "size").value_or(0);
    event.time_us = number(entry, "time_us").value_or(0);
    if (const auto stream = number(entry, "stream"); stream && streams_.size() < 1000) streams_.insert(*stream);
    if (event.action == Action::kAllocate) event.site = site_of(pickle_.member(entry, "frames"));
    snapshot_.events.push_back(event);
  }

  // The innermost line that is neither torch's nor C++, else the innermost of all. Events share their lists of frames.
  std::uint32_t site_of(const PickleValue& frames) {
    if (frames.kind != PickleValue::Kind::kList) return 0;
    const auto known = sites_of_frames_.find(frames.number);
    if (known != sites_of_frames_.end()) return known->second;
    std::string best;
    for (const auto& frame : pickle_.list(frames)) {
      const auto file = pickle_.text(pickle_.member(frame, "filename"));
      const auto name = pickle_.text(pickle_.member(frame, "name"));
      if (file.empty() || file == "??") continue;
      const bool outside = !file.ends_with(".py") || file.find("/torch/") != std::string_view::npos;
      if (outside && !best.empty()) continue;
      best = std::string{file} + ":" + std::to_string(number(frame, "line").value_or(0)) + (name.empty() ? "" : " (" + std::string{name} + ")");
      if (!outside) break;
    }
    const auto [place, fresh] = numbers_.try_emplace(best, static_cast<std::uint32_t>(snapshot_.sites.size()));
    if (best.empty()) place->second = 0;
    else if (fresh) snapshot_.sites.push_back(best);
    return sites_of_frames_[frames.number] = place->second;
  }

  void read_settings(const PickleValue& settings) {
    for (const auto* name : {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"})
      if (const auto text = pickle_.text(pickle_.member(settings, name)); !text.empty()) snapshot_.settings = std::string{text};
    snapshot_.options = parse_allocator_options(snapshot_.settings);
    if (const auto limit = number(settings, "max_split_size"); limit && *limit > 0) snapshot_.options.max_split_size = *limit;
    const auto expandable = pickle_.member(settings, "expandable_segments");
    if (expandable.kind == PickleValue::Kind::kBool) snapshot_.options.expandable_segments = expandable.number != 0;
  }

  const Pickle& pickle_;
  MemorySnapshot snapshot_;
  std::map<std::int64_t, std::uint32_t> sites_of_frames_;
  std::map<std::string, std::uint32_t> numbers_;
  std::set<std::uint64_t> streams_;
};

}  // namespace

Result<MemorySnapshot> read_memory_snapshot(std::string_view bytes) {
  const auto pickle = Pickle::read(bytes);
  if (!pickle) return pickle.error();
  return SnapshotReader{*pickle}.run();
}

}  // namespace gputop
