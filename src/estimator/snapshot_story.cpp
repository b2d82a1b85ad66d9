// What a memory snapshot tells: the peak and who held it, what is fragmented, and the same events in our own allocator.
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "gputop/estimator/memory_snapshot.hpp"

namespace gputop {
namespace {

using Action = SnapshotEvent::Action;
constexpr std::size_t kParts = 240;
constexpr std::size_t kHolders = 10;
constexpr std::uint64_t kRoundTo = 512;
constexpr std::uint64_t kCeiling = std::numeric_limits<std::uint64_t>::max() / 2;

std::uint64_t as_block(std::uint64_t bytes) {
  return bytes > kCeiling ? kCeiling : std::max(kRoundTo, (bytes + kRoundTo - 1) / kRoundTo * kRoundTo);
}

struct LiveBlock {
  std::uint64_t bytes = 0;
  std::uint32_t site = 0;
};
using LiveBlocks = std::unordered_map<std::uint64_t, LiveBlock>;  // by address

// What was in use when the record begins: what is in use at its end, taken back event by event.
LiveBlocks live_before(const MemorySnapshot& snapshot) {
  LiveBlocks live;
  for (const auto& segment : snapshot.segments)
    for (const auto& block : segment.blocks)
      if (block.requested > 0) live[block.address] = {as_block(block.requested), block.site};
  for (std::size_t i = snapshot.events.size(); i-- > 0;) {
    const auto& event = snapshot.events[i];
    if (event.action == Action::kAllocate) live.erase(event.address);
    if (event.action == Action::kFree) live.try_emplace(event.address, LiveBlock{as_block(event.bytes), 0});
  }
  return live;
}

std::uint64_t in_use(const LiveBlocks& live) {
  std::uint64_t sum = 0;
  for (const auto& [address, held] : live) sum += std::min(held.bytes, kCeiling - sum);
  return sum;
}

// The driver's memory at the beginning: that at the end less what came since.
std::uint64_t reserved_before(const MemorySnapshot& snapshot) {
  std::uint64_t now = 0;
  for (const auto& segment : snapshot.segments) now += std::min(segment.bytes, kCeiling - now);
  for (std::size_t i = snapshot.events.size(); i-- > 0;) {
    const auto& event = snapshot.events[i];
    if (event.action == Action::kSegment) now -= std::min(event.bytes, now);
    if (event.action == Action::kSegmentGone) now += std::min(event.bytes, kCeiling - now);
  }
  return now;
}

// Follows the events; `use` sees the state after each, and before the first as number 0.
template <class Use>
void follow(const MemorySnapshot& snapshot, LiveBlocks& live, Use use) {
  auto allocated = in_use(live);
  auto reserved = reserved_before(snapshot);
  if (!use(std::size_t{0}, allocated, reserved)) return;
  for (std::size_t i = 0; i < snapshot.events.size(); ++i) {
    const auto& event = snapshot.events[i];
    const auto bytes = as_block(event.bytes);
    if (event.action == Action::kAllocate) {
      auto& held = live[event.address];
      allocated -= held.bytes;
      allocated += std::min(bytes, kCeiling - allocated);
      held = {bytes, event.site};
    } else if (event.action == Action::kFree) {
      const auto found = live.find(event.address);
      if (found != live.end()) allocated -= std::min(found->second.bytes, allocated);
      if (found != live.end()) live.erase(found);
    } else if (event.action == Action::kSegment) {
      reserved += std::min(event.bytes, kCeiling - reserved);
    } else if (event.action == Action::kSegmentGone) {
      reserved -= std::min(event.bytes, reserved);
    }
    if (!use(i + 1, allocated, reserved)) return;
  }
}

// By time where the record has it, else by events.
std::size_t part_of(const MemorySnapshot& snapshot, std::size_t number) {
  if (number == 0) return 0;
  const auto begin = snapshot.events.front().time_us;
  const auto end = snapshot.events.back().time_us;
  const auto now = snapshot.events[number - 1].time_us;
  const double share = begin < end && now >= begin && now <= end
                           ? static_cast<double>(now - begin) / static_cast<double>(end - begin)
                           : static_cast<double>(number) / static_cast<double>(snapshot.events.size());
  return std::min(kParts - 1, static_cast<std::size_t>(share * static_cast<double>(kParts)));
}

void name_holders(const MemorySnapshot& snapshot, const LiveBlocks& before, SnapshotStory& story) {
  auto live = before;
  follow(snapshot, live, [&](std::size_t number, std::uint64_t, std::uint64_t) { return number < story.peak_event; });
  std::map<std::uint32_t, SnapshotSite> sites;
  for (const auto& [address, held] : live) {
    auto& site = sites[held.site];
    site.site = snapshot.sites[held.site];
    site.bytes += Bytes{held.bytes};
    ++site.blocks;
  }
  for (auto& [number, site] : sites) story.sites.push_back(site);
  std::sort(story.sites.begin(), story.sites.end(), [](const SnapshotSite& a, const SnapshotSite& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.site < b.site;
  });
  if (story.sites.size() > kHolders) story.sites.resize(kHolders);
}

void look_at_the_end(const MemorySnapshot& snapshot, SnapshotStory& story) {
  story.segments = snapshot.segments.size();
  for (const auto& segment : snapshot.segments) {
    Bytes unused;
    Bytes used;
    for (const auto& block : segment.blocks) {
      (block.requested > 0 ? used : unused) += Bytes{block.bytes};
      if (block.requested == 0) story.largest_unused = std::max(story.largest_unused, Bytes{block.bytes});
    }
    if (used > Bytes{}) story.unused_in_used_segments += unused;
  }
}

// The same requests in the same order. What was there before the record is asked for first, in the order of addresses.
std::optional<Bytes> simulated(const MemorySnapshot& snapshot, const LiveBlocks& before) {
  if (snapshot.events.empty()) return std::nullopt;
  CachingAllocator allocator{snapshot.options};
  std::unordered_map<std::uint64_t, CachingAllocator::Address> places;
  const std::map<std::uint64_t, LiveBlock> ordered{before.begin(), before.end()};
  for (const auto& [address, held] : ordered) {
    const auto place = allocator.allocate(held.bytes);
    if (!place) return std::nullopt;
    places[address] = *place;
  }
  for (const auto& event : snapshot.events) {
    if (event.action == Action::kAllocate) {
      const auto place = allocator.allocate(event.bytes);
      if (!place) return std::nullopt;
      places[event.address] = *place;
    } else if (const auto found = places.find(event.address); event.action == Action::kFree && found != places.end()) {
      allocator.release(found->second);
      places.erase(found);
    }
  }
  return Bytes{allocator.peak_reserved()};
}

}  // namespace

SnapshotStory explain(const MemorySnapshot& snapshot) {
  SnapshotStory story;
  const auto before = live_before(snapshot);
  story.before = Bytes{in_use(before)};
  auto live = before;
  std::vector<std::optional<SnapshotMoment>> parts(kParts);
  follow(snapshot, live, [&](std::size_t number, std::uint64_t allocated, std::uint64_t reserved) {
    const SnapshotMoment now{Bytes{allocated}, Bytes{reserved}};
    if (now.allocated > story.peak_allocated) {
      story.peak_allocated = now.allocated;
      story.peak_event = number;
    }
    story.peak_reserved = std::max(story.peak_reserved, now.reserved);
    auto& part = parts[part_of(snapshot, number)];
    if (!part) part = now;
    part->allocated = std::max(part->allocated, now.allocated);
    part->reserved = std::max(part->reserved, now.reserved);
    story.end = now;
    return true;
  });
  for (const auto& part : parts) story.timeline.push_back(part ? *part : story.timeline.back());  // the first has one
  if (!snapshot.events.empty()) {
    const auto begin = snapshot.events.front().time_us;
    const auto since = [&](std::uint64_t time) -> std::optional<double> {
      return time >= begin && begin > 0 ? std::optional{static_cast<double>(time - begin) / 1e6} : std::nullopt;
    };
    story.seconds = since(snapshot.events.back().time_us);
    if (story.peak_event > 0) story.peak_seconds = since(snapshot.events[story.peak_event - 1].time_us);
  }
  for (const auto& event : snapshot.events)
    if (event.action == Action::kOutOfMemory) story.out_of_memory.push_back(Bytes{event.bytes});
  name_holders(snapshot, before, story);
  look_at_the_end(snapshot, story);
  story.simulated_reserved = simulated(snapshot, before);
  return story;
}

}  // namespace gputop
