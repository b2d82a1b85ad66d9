#include "gputop/engine/recorder.hpp"

namespace gputop {

Result<std::unique_ptr<Recorder>> Recorder::start(Loop& loop, Engine& engine, const std::string& path) {
  auto writer = RecordingWriter::create(path);
  if (!writer) return writer.error();
  return std::unique_ptr<Recorder>{new Recorder{loop, engine, *std::move(writer)}};
}

Result<Recorder::Resumed> Recorder::resume(Loop& loop, Engine& engine, const std::string& path) {
  auto resumed = RecordingWriter::resume(path);
  if (!resumed) return resumed.error();
  return Resumed{resumed->tail, std::unique_ptr<Recorder>{new Recorder{loop, engine, std::move(resumed->writer)}}};
}

Recorder::Recorder(Loop& loop, Engine& engine, RecordingWriter writer)
    : loop_(loop), engine_(engine), writer_(std::move(writer)) {
  subscription_ = engine.listen([this](const Event& event, const Model&) { heard(event); });
}

std::string Recorder::trouble() const {
  const auto state = writer_.state();
  if (state.paused) return state.reason;
  if (state.dropped > 0) return "the disk did not accept " + std::to_string(state.dropped) + " events in time";
  return was_paused_ ? "it was paused for some time" : "";
}

void Recorder::heard(const Event& event) {
  writer_.append(event);
  if (std::holds_alternative<ChangeReported>(event.payload))
    writer_.flush_soon();                                           // files were changed, or processes end
  if (!std::holds_alternative<HostSampled>(event.payload)) return;  // checking once per reading is enough
  const auto state = writer_.state();
  if (state.paused == paused_) return;
  paused_ = state.paused;
  was_paused_ = was_paused_ || paused_;
  loop_.post([this, reason = state.reason] {
    engine_.publish({loop_.now(), paused_ ? Noted{Noted::Severity::kWarning, "recording paused: " + reason}
                                          : Noted{Noted::Severity::kInfo, "recording continues"}});
  });
}

}  // namespace gputop
