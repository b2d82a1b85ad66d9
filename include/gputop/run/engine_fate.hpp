// What an engine of a run is at work on, in memory that outlives it, so that the next one knows what it died of. A piece of
// work that engines die of again and again is left out.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gputop::run {

enum class EngineWork : std::uint32_t {
  kNone,
  kOutput,   // a piece of what the job printed
  kLens,     // a message of the lens
  kHistory,  // what earlier engines recorded
  kCount,
};

// Of a stream, absolute offsets.
struct OutputPiece {
  std::uint32_t stream = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t blame = 0;
  [[nodiscard]] bool empty() const { return begin >= end; }
};

// A death by its own doing is worth two, by a kill one: it may have been anywhere. This many are enough.
inline constexpr std::uint32_t kBlameOfFault = 2;
inline constexpr std::uint32_t kBlameOfKill = 1;
inline constexpr std::uint32_t kEnoughBlame = 4;

// Written by the engine. The history is read by a thread of its own, beside the rest.
struct EngineFate {
  std::atomic<EngineWork> work{EngineWork::kNone};
  std::atomic<std::uint32_t> reads_history{0};
  OutputPiece reading;                   // of kOutput; written before `work` says so
  std::array<OutputPiece, 16> suspects;  // the oldest gives way
  std::uint32_t next_suspect = 0;
  std::uint32_t left_out = 0;  // pieces of output
  std::array<std::uint32_t, static_cast<std::size_t>(EngineWork::kCount)> blame{};

  // A new engine: the one before died of what it had in hand.
  void judge(bool faulted);
  // The suspect that begins at or after this offset, or has it inside; nullptr for none.
  [[nodiscard]] const OutputPiece* suspect_from(std::uint32_t stream, std::uint64_t offset) const;
  [[nodiscard]] bool is_deadly(EngineWork kind) const {
    return blame[static_cast<std::size_t>(kind)] >= kEnoughBlame;
  }

 private:
  void blame_piece(const OutputPiece& piece, std::uint32_t weight);
};

}  // namespace gputop::run
