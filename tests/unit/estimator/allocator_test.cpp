#include "gputop/estimator/allocator.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>

namespace gputop {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

// Blocks never overlap, fill their segments, and add up to what the allocator says it has.
void check_whole(const CachingAllocator& allocator) {
  std::uint64_t end = 0;
  std::uint64_t used = 0;
  std::uint64_t all = 0;
  std::uint64_t segment = 0;
  bool free_before = false;
  for (const auto& block : allocator.blocks()) {
    REQUIRE(block.size > 0);
    REQUIRE(block.size % 512 == 0);
    REQUIRE(block.address >= end);
    const bool same = block.segment == segment;
    if (same) REQUIRE(block.address == end);
    if (same) REQUIRE_FALSE((free_before && !block.used));  // two free neighbours would have been merged
    REQUIRE(block.requested <= block.size);
    segment = block.segment;
    free_before = !block.used;
    end = block.address + block.size;
    all += block.size;
    if (block.used) used += block.size;
  }
  REQUIRE(all == allocator.reserved());
  REQUIRE(used == allocator.allocated());
  REQUIRE(allocator.allocated() <= allocator.reserved());
  REQUIRE(allocator.requested() <= allocator.allocated());
  REQUIRE(allocator.peak_reserved() >= allocator.reserved());
}

TEST_CASE("allocator: sizes are rounded to 512 bytes, small ones share a segment of 2 MiB", "[estimator]") {
  CachingAllocator allocator;
  REQUIRE(allocator.allocate(1));
  CHECK(allocator.allocated() == 512);
  CHECK(allocator.reserved() == 2 * kMiB);
  REQUIRE(allocator.allocate(513));
  CHECK(allocator.allocated() == 512 + 1024);
  CHECK(allocator.reserved() == 2 * kMiB);
  REQUIRE(allocator.allocate(kMiB));
  REQUIRE(allocator.allocate(kMiB));  // does not fit beside the others
  CHECK(allocator.reserved() == 4 * kMiB);
  check_whole(allocator);
}

TEST_CASE("allocator: up to 10 MiB from a segment of 20 MiB, larger ones have their own, a multiple of 2 MiB", "[estimator]") {
  CachingAllocator allocator;
  REQUIRE(allocator.allocate(kMiB + 1));
  CHECK(allocator.reserved() == 20 * kMiB);
  REQUIRE(allocator.allocate(9 * kMiB));
  CHECK(allocator.reserved() == 20 * kMiB);
  REQUIRE(allocator.allocate(11 * kMiB));
  CHECK(allocator.reserved() == 32 * kMiB);
  REQUIRE(allocator.allocate(0));
  CHECK(allocator.reserved() == 32 * kMiB);
  check_whole(allocator);
}

TEST_CASE("allocator: a free block goes to the request it fits best, and is cut where more than 1 MiB is left", "[estimator]") {
  CachingAllocator allocator;
  const auto large = allocator.allocate(100 * kMiB);
  const auto medium = allocator.allocate(50 * kMiB);
  allocator.release(*large);
  allocator.release(*medium);
  CHECK(allocator.allocate(40 * kMiB) == medium);
  CHECK(allocator.allocated() == 40 * kMiB);
  CHECK(allocator.allocate(9 * kMiB + 512 * 1024) == *medium + 40 * kMiB);  // the rest of the same, 512 KiB stay with it
  CHECK(allocator.allocated() == 50 * kMiB);
  CHECK(allocator.reserved() == 150 * kMiB);
  check_whole(allocator);
}

TEST_CASE("allocator: when the card is full the cache is given back; only then it is out of memory", "[estimator]") {
  CachingAllocator allocator{{.capacity = 100 * kMiB}};
  const auto kept = allocator.allocate(30 * kMiB);
  const auto freed = allocator.allocate(60 * kMiB);
  allocator.release(*freed);
  CHECK(allocator.allocate(64 * kMiB));
  CHECK(allocator.retries() == 1);
  CHECK(allocator.reserved() == 94 * kMiB);
  CHECK_FALSE(allocator.allocate(10 * kMiB));
  CHECK(kept);
  check_whole(allocator);
}

TEST_CASE("allocator: expandable segments grow by pages and leave no holes between blocks of different sizes", "[estimator]") {
  CachingAllocator plain;
  CachingAllocator growing{{.expandable_segments = true}};
  for (auto* allocator : {&plain, &growing}) {
    for (std::uint64_t size = 30; size < 60; size += 3) {  // ever larger batches: no freed block fits the next
      const auto block = allocator->allocate(size * kMiB);
      allocator->release(*block);
    }
    check_whole(*allocator);
  }
  CHECK(growing.peak_reserved() == 60 * kMiB);
  CHECK(plain.peak_reserved() > 5 * growing.peak_reserved());
}

TEST_CASE("allocator: blocks above max_split_size_mb are not cut", "[estimator]") {
  CachingAllocator allocator{parse_allocator_options("max_split_size_mb:32")};
  allocator.release(*allocator.allocate(100 * kMiB));
  REQUIRE(allocator.allocate(24 * kMiB));
  CHECK(allocator.reserved() == 124 * kMiB);
  check_whole(allocator);
}

TEST_CASE("allocator: the garbage collection gives old blocks back above its threshold", "[estimator]") {
  CachingAllocator allocator{{.capacity = 200 * kMiB, .collection_threshold = 0.5}};
  const auto old = allocator.allocate(80 * kMiB);
  const auto used = allocator.allocate(40 * kMiB);
  allocator.release(*old);
  REQUIRE(allocator.allocate(90 * kMiB));
  CHECK(allocator.reserved() == 130 * kMiB);
  CHECK(allocator.retries() == 0);
  CHECK(used);
  check_whole(allocator);
}

TEST_CASE("allocator: options are read as PyTorch writes them; unknown ones are left", "[estimator]") {
  const auto options =
      parse_allocator_options("expandable_segments:True, max_split_size_mb:128,garbage_collection_threshold:0.8,backend:native");
  CHECK(options.expandable_segments);
  CHECK(options.max_split_size == 128 * kMiB);
  CHECK(options.collection_threshold == 0.8);
  CHECK(parse_allocator_options("").max_split_size == AllocatorOptions{}.max_split_size);
  CHECK(parse_allocator_options("max_split_size_mb:-4,:::,,max_split_size_mb").max_split_size == AllocatorOptions{}.max_split_size);
  CHECK(parse_allocator_options("roundup_power2_divisions:4").power2_divisions == 4);
}

TEST_CASE("allocator: whatever is asked for and freed, blocks do not overlap and nothing is lost", "[estimator]") {
  for (const auto* words : {"", "expandable_segments:True", "max_split_size_mb:24", "garbage_collection_threshold:0.6",
                            "roundup_power2_divisions:4"}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      std::mt19937 dice{seed};
      AllocatorOptions options;
      options.capacity = 600 * kMiB;
      CachingAllocator allocator{parse_allocator_options(words, options)};
      std::vector<CachingAllocator::Address> live;
      for (int i = 0; i < 1500; ++i) {
        if (dice() % 100 < 55) {
          const auto size = 1 + dice() % (1ULL << (4 + dice() % 22));
          if (const auto got = allocator.allocate(size)) live.push_back(*got);
        } else if (!live.empty()) {
          const auto index = dice() % live.size();
          allocator.release(live[index]);
          live.erase(live.begin() + static_cast<std::ptrdiff_t>(index));
        } else if (dice() % 40 == 0) {
          allocator.empty_cache();
        }
        if (i % 50 == 0) check_whole(allocator);
        REQUIRE(allocator.reserved() <= options.capacity);
      }
      for (const auto address : live) allocator.release(address);
      CHECK(allocator.allocated() == 0);
      CHECK(allocator.requested() == 0);
      check_whole(allocator);
      allocator.empty_cache();
      CHECK(allocator.reserved() < 40 * kMiB);
    }
  }
}

}  // namespace
}  // namespace gputop
