// Replays a rehearsal's storages through the allocator, in their original order.
#include <algorithm>
#include <unordered_map>

#include "gputop/estimator/rehearsal.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMoments = 240;
constexpr std::size_t kSites = 10;

using Kind = RehearsalEvent::Kind;

// What was live at the peak, by kind and by source line.
void explain_peak(const RehearsalTrace& trace, std::size_t peak, RehearsedMemory& memory) {
  struct Held {
    std::uint64_t bytes = 0;
    std::uint32_t site = 0;
  };
  std::unordered_map<std::uint64_t, Held> live;
  for (std::size_t i = 0; i <= peak && i < trace.events.size(); ++i) {
    const auto& event = trace.events[i];
    if (event.kind == Kind::kAllocate) live[event.number] = {event.bytes, event.site};
    if (event.kind == Kind::kFree) live.erase(event.number);
  }
  std::unordered_map<std::uint32_t, std::uint64_t> sites;
  for (const auto& [number, held] : live) {
    memory.at_peak.at(static_cast<std::size_t>(trace.kinds[number])) += Bytes{held.bytes};
    sites[held.site] += held.bytes;
  }
  for (const auto& [site, bytes] : sites) memory.sites.push_back({trace.sites[site], Bytes{bytes}});
  std::sort(memory.sites.begin(), memory.sites.end(), [](const SiteBytes& a, const SiteBytes& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.site < b.site;
  });
  if (memory.sites.size() > kSites) memory.sites.resize(kSites);
}

}  // namespace

RehearsedMemory replay(const RehearsalTrace& trace, const AllocatorOptions& options) {
  RehearsedMemory memory;
  CachingAllocator allocator{options};
  std::vector<CachingAllocator::Address> addresses(trace.kinds.size());
  std::size_t peak = 0;
  std::size_t part = 0;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const auto& event = trace.events[i];
    std::optional<CachingAllocator::Address> got{0};
    if (event.kind == Kind::kAllocate || event.kind == Kind::kScratch) got = allocator.allocate(event.bytes);
    if (!got) {
      memory.fits = false;
      break;
    }
    const MemoryMoment now{Bytes{allocator.allocated()}, Bytes{allocator.reserved()}, event.phase, memory.steps};
    if (now.allocated > memory.peak.allocated) {
      memory.peak = now;
      peak = i;
    }
    auto& most = memory.phase_peaks.at(static_cast<std::size_t>(event.phase));
    most = std::max(most, now.allocated);
    const auto here = i * kMoments / trace.events.size();
    if (memory.timeline.empty() || here != part) {
      memory.timeline.push_back(now);
      part = here;
    } else if (now.allocated > memory.timeline.back().allocated) {
      memory.timeline.back() = now;
    }
    if (event.kind == Kind::kAllocate) addresses[event.number] = *got;
    if (event.kind == Kind::kScratch) allocator.release(*got);
    if (event.kind == Kind::kFree) allocator.release(addresses[event.number]);
    if (event.kind == Kind::kStep) ++memory.steps;
  }
  memory.peak_allocated = Bytes{allocator.peak_allocated()};
  memory.peak_reserved = Bytes{allocator.peak_reserved()};
  memory.retries = allocator.retries();
  explain_peak(trace, peak, memory);
  return memory;
}

}  // namespace gputop
