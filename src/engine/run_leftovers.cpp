#include "engine/run_leftovers.hpp"

#include <filesystem>

namespace gputop {
namespace {

std::string missing_in(const RunRecording& recording) {
  if (recording.recorder == nullptr) {
    return recording.why_none.empty() ? "" : "  not recorded: " + recording.why_none + "\n";
  }
  std::string text;
  if (const auto trouble = recording.recorder->trouble(); !trouble.empty()) {
    text += "  the recording is incomplete: " + trouble + "\n";
  }
  if (std::error_code ignored; !std::filesystem::exists(recording.path, ignored)) {
    text += "  that file is gone: it was removed during the run\n";
  }
  return text;
}

}  // namespace

std::string run_leftovers(const RunRecording& recording, const run::RunChannel& channel) {
  std::string text = missing_in(recording);
  for (std::size_t stream = 0; stream < channel.stream_count(); ++stream) {
    const auto lost = channel.discarded(stream);
    if (lost == 0) continue;
    text += "  " + std::to_string(lost) + " bytes of its " + (stream == 0 ? "stdout" : "stderr") +
            " could not be written (a full disk?)" +
            (recording.recorder != nullptr ? "; the recording has them\n" : "\n");
  }
  const auto status = channel.status();
  if (status.stray_count == 0) return text;
  text += "  " + std::to_string(status.stray_count) + " of the processes it started go on:";
  for (const auto pid : status.strays) text += " " + std::to_string(pid);
  return text + (status.stray_count > status.strays.size() ? " …\n" : "\n");
}

}  // namespace gputop
