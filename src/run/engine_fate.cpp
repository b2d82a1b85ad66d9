#include "gputop/run/engine_fate.hpp"

#include <algorithm>

namespace gputop::run {

void EngineFate::judge(bool faulted) {
  const std::uint32_t weight = faulted ? kBlameOfFault : kBlameOfKill;
  const EngineWork last = work.exchange(EngineWork::kNone);
  if (last == EngineWork::kOutput) blame_piece(reading, weight);
  if (last == EngineWork::kLens) blame[static_cast<std::size_t>(last)] += weight;
  if (reads_history.exchange(0) != 0) blame[static_cast<std::size_t>(EngineWork::kHistory)] += weight;
}

// What killed two engines is in the part that both had read.
void EngineFate::blame_piece(const OutputPiece& piece, std::uint32_t weight) {
  if (piece.empty()) return;
  for (auto& known : suspects) {
    const auto begin = std::max(known.begin, piece.begin);
    const auto end = std::min(known.end, piece.end);
    if (known.empty() || known.stream != piece.stream || begin >= end) continue;
    if (known.blame >= kEnoughBlame) continue;  // that one is skipped, so it was another
    known = {piece.stream, begin, end, known.blame + weight};
    return;
  }
  suspects[next_suspect++ % suspects.size()] = {piece.stream, piece.begin, piece.end, weight};
}

const OutputPiece* EngineFate::suspect_from(std::uint32_t stream, std::uint64_t offset) const {
  const OutputPiece* first = nullptr;
  for (const auto& each : suspects) {
    if (each.empty() || each.stream != stream || each.end <= offset || each.blame < kBlameOfFault) continue;
    if (first == nullptr || each.begin < first->begin) first = &each;
  }
  return first;
}

}  // namespace gputop::run
