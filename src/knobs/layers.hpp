// What counts more than what, as points: the command line over a named configuration over its bases, nearer ones first,
// over defaults in the code. Within one layer, ranking.cpp tells places apart by fewer points than lie between layers.
#pragma once

#include "gputop/knobs/finder.hpp"

namespace gputop::knobs {

inline constexpr int kLayer = 100;
inline constexpr int kGivenArgument = 30 * kLayer;
inline constexpr int kInCommand = 29 * kLayer;    // of a script that starts the run
inline constexpr int kShellVariable = 28 * kLayer;  // set, and read by such a script
inline constexpr int kNamedFile = 25 * kLayer;
inline constexpr int kBase = 24 * kLayer;  // and one layer less for each base in between
inline constexpr int kLauncher = 9 * kLayer;  // what a launcher sets unless the script does
inline constexpr int kReadSetVariable = 8 * kLayer;
inline constexpr int kAbsentArgument = 7 * kLayer;
inline constexpr int kImportedFile = 6 * kLayer;
inline constexpr int kReadVariable = 5 * kLayer;  // not set, but the script would read it
inline constexpr int kScriptFile = 4 * kLayer;
inline constexpr int kMentionedFile = 3 * kLayer;
inline constexpr int kLibraryVariable = 2 * kLayer;
inline constexpr int kAbsentVariable = kLayer;
inline constexpr int kAddition = -kLayer;  // behind the lens, where there is one

inline int nearness(const WantedFile& file) {
  constexpr int kDeepest = 14;
  switch (file.reason) {
    case WantedFile::Reason::kCommandLine: return kNamedFile;
    case WantedFile::Reason::kIncluded: return kBase - kLayer * (file.depth < kDeepest ? file.depth - 1 : kDeepest);
    case WantedFile::Reason::kImported: return kImportedFile;
    case WantedFile::Reason::kScript: return kScriptFile;
    case WantedFile::Reason::kMentioned: return kMentionedFile;
  }
  return 0;
}

}  // namespace gputop::knobs
