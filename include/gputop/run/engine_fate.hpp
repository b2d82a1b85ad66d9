// What an engine of a run is working on, in memory that outlives it, so the next engine knows what killed it. Work that
// kills engines repeatedly is skipped.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gputop::run {

enum class EngineWork : std::uint32_t {
  kNone,
  kOutput,   // a piece of the job's output
  kLens,     // a lens message
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

// A crash of the engine's own counts two, a kill counts one, because it may have hit anything. This many are enough.
inline constexpr std::uint32_t kBlameOfFault = 2;
inline constexpr std::uint32_t kBlameOfKill = 1;
inline constexpr std::uint32_t kEnoughBlame = 4;

// Written by the engine. A separate thread reads the history in parallel.
struct EngineFate {
  std::atomic<EngineWork> work{EngineWork::kNone};
  std::atomic<std::uint32_t> reads_history{0};
  OutputPiece reading;                   // for kOutput; written before `work` says so
  std::array<OutputPiece, 16> suspects;  // the oldest is replaced
  std::uint32_t next_suspect = 0;
  std::uint32_t left_out = 0;  // pieces of output
  std::array<std::uint32_t, static_cast<std::size_t>(EngineWork::kCount)> blame{};

  // A new engine starts: the previous one died of what it was working on.
  void judge(bool faulted);
  // The suspect that begins at or after this offset, or contains it; nullptr for none.
  [[nodiscard]] const OutputPiece* suspect_from(std::uint32_t stream, std::uint64_t offset) const;
  [[nodiscard]] bool is_deadly(EngineWork kind) const {
    return blame[static_cast<std::size_t>(kind)] >= kEnoughBlame;
  }

 private:
  void blame_piece(const OutputPiece& piece, std::uint32_t weight);
};

}  // namespace gputop::run
