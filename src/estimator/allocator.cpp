#include "gputop/estimator/allocator.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "estimator/request_values.hpp"
#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr std::uint64_t kMebibyte = 1U << 20U;
constexpr std::uint64_t kSmallest = 512;                  // block sizes are multiples of this
constexpr std::uint64_t kSmallRequest = kMebibyte;        // requests up to this size use the pool of small blocks
constexpr std::uint64_t kSmallSegment = 2 * kMebibyte;    // what that pool requests from the driver
constexpr std::uint64_t kLargeSegment = 20 * kMebibyte;   // what the other pool requests, below:
constexpr std::uint64_t kOwnSegment = 10 * kMebibyte;     // from this size on, a request gets its own segment
constexpr std::uint64_t kSegmentStep = 2 * kMebibyte;     // whose size is a multiple of this
constexpr std::uint64_t kMostBytes = 1ULL << 50U;         // larger requests are invalid
constexpr std::uint64_t kAddressSpace = 1ULL << 52U;      // reserved for a segment that grows

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

std::uint64_t segment_size(std::uint64_t size) {
  if (size <= kSmallRequest) return kSmallSegment;
  return size < kOwnSegment ? kLargeSegment : round_up(size, kSegmentStep);
}

}  // namespace

AllocatorOptions parse_allocator_options(std::string_view text, AllocatorOptions options) {
  while (!text.empty()) {
    const auto item = slice(text, 0, text.find(','));
    skip_front(text, item.size() + 1);
    const auto colon = item.find(':');
    const auto key = trimmed(slice(item, 0, colon));
    const auto value = colon == std::string_view::npos ? std::string_view{} : trimmed(slice(item, colon + 1));
    double number = 0;
    const bool is_number = std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc{} && number > 0;
    if (key == "expandable_segments") options.expandable_segments = value == "True" || value == "true";
    if (key == "max_split_size_mb" && is_number && number < 1e9)
      options.max_split_size = std::max(kLargeSegment, static_cast<std::uint64_t>(number) * kMebibyte);
    if (key == "garbage_collection_threshold" && is_number && number < 1) options.collection_threshold = number;
    if (key == "roundup_power2_divisions" && is_number && number <= 64)
      options.power2_divisions = std::bit_floor(static_cast<std::uint64_t>(number));
  }
  return options;
}

CachingAllocator::CachingAllocator(const AllocatorOptions& options)
    : options_(options), next_address_(options.expandable_segments ? 2 * kAddressSpace : kSegmentStep) {}

std::uint64_t CachingAllocator::rounded(std::uint64_t bytes) const {
  if (bytes < kSmallest) return kSmallest;
  if (options_.power2_divisions > 1 && bytes > kSmallest * options_.power2_divisions) {
    const auto power = std::bit_floor(bytes);
    return round_up(bytes, std::max(kSmallest, power / options_.power2_divisions));
  }
  return round_up(bytes, kSmallest);
}

std::optional<CachingAllocator::Address> CachingAllocator::allocate(std::uint64_t bytes) {
  if (bytes == 0) return Address{0};
  if (bytes > kMostBytes) return std::nullopt;
  ++clock_;
  const auto size = rounded(bytes);
  const bool small = size <= kSmallRequest;
  auto found = find(size, small);
  if (!found) {
    collect();
    const auto make = [&] { return options_.expandable_segments ? expand(size, small) : new_segment(size, small); };
    found = make();
    if (!found && options_.max_split_size < kMostBytes && give_back(size, true)) found = make();
    if (!found) {
      ++retries_;
      empty_cache();
      found = make();
    }
    if (!found) return std::nullopt;
  }
  const auto block = *found;
  free_blocks(small).erase(block);
  split(block, size);
  block->used = true;
  block->requested = bytes;
  used_.emplace(block->address, block);
  allocated_ += block->size;
  requested_ += bytes;
  peak_allocated_ = std::max(peak_allocated_, allocated_);
  return block->address;
}

// The smallest sufficient block; large ones are kept for requests that need them.
std::optional<CachingAllocator::Place> CachingAllocator::find(std::uint64_t size, bool small) {
  auto& blocks = free_blocks(small);
  const auto found = blocks.lower_bound(size);
  if (found == blocks.end()) return std::nullopt;
  const auto block = *found;
  if (size < options_.max_split_size && block->size >= options_.max_split_size) return std::nullopt;
  if (size >= options_.max_split_size && block->size >= size + kLargeSegment) return std::nullopt;
  return block;
}

void CachingAllocator::split(Place block, std::uint64_t size) {
  const auto left = block->size - size;
  const bool splits = block->small || options_.expandable_segments ? left >= kSmallest
                                                                   : size < options_.max_split_size && left > kSmallRequest;
  if (!splits) return;
  auto& segment = segments_.at(block->segment);
  Block rest = *block;
  rest.address += size;
  rest.size = left;
  rest.used = false;
  block->size = size;
  free_blocks(rest.small).insert(segment.blocks.insert(std::next(block), rest));
}

std::optional<CachingAllocator::Place> CachingAllocator::new_segment(std::uint64_t size, bool small) {
  const auto bytes = segment_size(size);
  if (bytes > options_.capacity || reserved_ > options_.capacity - bytes) return std::nullopt;
  const auto address = next_address_;
  next_address_ += bytes + kSegmentStep;  // segments never touch
  auto& segment = segments_[address];
  segment.size = bytes;
  segment.small = small;
  segment.blocks.push_back({.address = address, .size = bytes, .small = small, .segment = address, .age = clock_});
  reserved_ += bytes;
  peak_reserved_ = std::max(peak_reserved_, reserved_);
  const auto block = segment.blocks.begin();
  free_blocks(small).insert(block);
  return block;
}

// One segment per pool; pages are mapped after its last block as needed.
std::optional<CachingAllocator::Place> CachingAllocator::expand(std::uint64_t size, bool small) {
  auto& address = expandable_[small ? 1 : 0];
  if (address == 0) address = small ? kSmallSegment : kAddressSpace;
  auto& segment = segments_[address];
  segment.small = small;
  segment.expandable = true;
  const bool tail_is_free = !segment.blocks.empty() && !segment.blocks.back().used;
  const auto have = tail_is_free ? segment.blocks.back().size : 0;
  const auto more = round_up(size - have, small ? kSmallSegment : kLargeSegment);
  if (more > options_.capacity || reserved_ > options_.capacity - more) return std::nullopt;
  if (tail_is_free) {
    const auto tail = std::prev(segment.blocks.end());
    free_blocks(small).erase(tail);
    tail->size += more;
  } else {
    segment.blocks.push_back(
        {.address = address + segment.size, .size = more, .small = small, .segment = address, .age = clock_});
  }
  segment.size += more;
  reserved_ += more;
  peak_reserved_ = std::max(peak_reserved_, reserved_);
  const auto block = std::prev(segment.blocks.end());
  free_blocks(small).insert(block);
  return block;
}

void CachingAllocator::release(Address address) {
  const auto found = used_.find(address);
  if (found == used_.end()) return;
  auto block = found->second;
  used_.erase(found);
  allocated_ -= block->size;
  requested_ -= block->requested;
  block->used = false;
  block->requested = 0;
  block->age = ++clock_;
  block = merge(block);
  free_blocks(block->small).insert(block);
}

CachingAllocator::Place CachingAllocator::merge(Place block) {
  auto& list = segments_.at(block->segment).blocks;
  if (const auto next = std::next(block); next != list.end() && !next->used) {
    free_blocks(next->small).erase(next);
    block->size += next->size;
    list.erase(next);
  }
  if (block != list.begin()) {
    if (const auto before = std::prev(block); !before->used) {
      free_blocks(before->small).erase(before);
      before->size += block->size;
      before->age = block->age;
      list.erase(block);
      return before;
    }
  }
  return block;
}

std::uint64_t CachingAllocator::drop_segment(std::uint64_t address) {
  const auto found = segments_.find(address);
  auto& segment = found->second;
  const auto block = segment.blocks.begin();
  free_blocks(segment.small).erase(block);
  const auto size = segment.size;
  reserved_ -= size;
  if (segment.expandable) expandable_[segment.small ? 1 : 0] = 0;
  segments_.erase(found);
  return size;
}

// Unused segments of at least this size: one of them (the smallest), or all.
bool CachingAllocator::give_back(std::uint64_t at_least, bool one) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> unused;  // size, address
  for (const auto& [address, segment] : segments_) {
    const bool empty = segment.blocks.size() == 1 && !segment.blocks.front().used;
    if (empty && segment.size >= at_least) unused.emplace_back(segment.size, address);
  }
  std::sort(unused.begin(), unused.end());
  for (const auto& [size, address] : unused) {
    drop_segment(address);
    if (one) return true;
  }
  return !unused.empty();
}

void CachingAllocator::empty_cache() {
  give_back(0, false);
  if (!options_.expandable_segments) return;
  for (auto& [address, segment] : segments_) {  // whole pages after the last block in use
    if (segment.blocks.empty()) continue;
    const auto tail = std::prev(segment.blocks.end());
    const auto page = segment.small ? kSmallSegment : kLargeSegment;
    const auto pages = tail->used ? 0 : tail->size / page * page;
    if (pages == 0) continue;
    free_blocks(segment.small).erase(tail);
    tail->size -= pages;
    segment.size -= pages;
    reserved_ -= pages;
    if (tail->size == 0) {
      segment.blocks.erase(tail);
    } else {
      free_blocks(segment.small).insert(tail);
    }
  }
}

// Above the threshold, returns segments that have been unused for longer than the average.
void CachingAllocator::collect() {
  if (options_.collection_threshold <= 0 || options_.expandable_segments) return;
  const auto threshold = options_.collection_threshold * static_cast<double>(options_.capacity);
  if (static_cast<double>(reserved_) <= threshold) return;
  auto excess = static_cast<double>(reserved_) - threshold;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> unused;  // age, address
  std::uint64_t ages = 0;
  for (const auto& [address, segment] : segments_) {
    if (segment.small || segment.blocks.size() != 1 || segment.blocks.front().used) continue;
    unused.emplace_back(clock_ - segment.blocks.front().age, address);
    ages += unused.back().first;
  }
  if (unused.empty()) return;
  const auto average = ages / unused.size();
  std::sort(unused.rbegin(), unused.rend());
  for (const auto& [age, address] : unused) {
    if (excess <= 0 || age < average) return;
    excess -= static_cast<double>(drop_segment(address));
  }
}

std::vector<CachingAllocator::Block> CachingAllocator::blocks() const {
  std::vector<Block> all;
  for (const auto& [address, segment] : segments_) all.insert(all.end(), segment.blocks.begin(), segment.blocks.end());
  std::sort(all.begin(), all.end(), [](const Block& a, const Block& b) { return a.address < b.address; });
  return all;
}

}  // namespace gputop
