#include "store/line_decoder.hpp"

#include "gputop/core/scan.hpp"
#include "store/line_time.hpp"
#include "store/event_json.hpp"

namespace gputop::store {
namespace {

// After the payload: fields of a newer version, and the end of the line.
bool take_rest(Scanner& in) {
  while (in.take(',')) {
    std::string_view key;
    if (!in.read_key(key) || !in.skip()) return false;
  }
  return in.take('}') && in.at_end();
}

std::uint64_t rows_of(const GpusSampled& sample) {
  std::uint64_t rows = sample.gpus.size();
  for (const auto& gpu : sample.gpus) rows += gpu.mig.size() + (gpu.processes ? gpu.processes->size() : 0);
  return rows;
}
std::uint64_t rows_of(const HostSampled& sample) {
  return 1 + sample.host.disks.size() + sample.host.networks.size();
}
std::uint64_t rows_of(const ProcessesSampled& sample) {
  return sample.processes.size();
}

}  // namespace

void LineDecoder::begin_frame(Instant at, bool skim) {
  skim_ = skim;
  samples_.start_over(skim);
  at_ = at;
}

LineDecoder::Outcome LineDecoder::decode(std::string_view line) {
  rows_ = 0;
  const auto outcome = decode_within_budget(line);
  const std::uint64_t cost = kLineCost + rows_;
  if (cost > budget_) return Outcome::kTooMuch;
  budget_ -= cost;
  return outcome;
}

LineDecoder::Outcome LineDecoder::decode_within_budget(std::string_view line) {
  Scanner in{line};
  std::string_view kind;
  if (!in.take('{') || !in.read_key(kind)) return Outcome::kNotUnderstood;
  if (kind == "t") {
    std::int64_t milliseconds = 0;
    if (!in.read(milliseconds) || !is_time(milliseconds) || !in.take(',') || !in.read_key(kind)) {
      return Outcome::kNotUnderstood;
    }
    at_ = from_milliseconds(milliseconds);
  }
  if (kind == "gpus") return decode_sample<GpusSampled>(in, gpus_);
  if ((skim_ || only_gpus_) && (kind == "host" || kind == "processes")) return Outcome::kLeftOut;
  if (only_gpus_ && (kind == "output" || kind.starts_with(kLensPrefix))) return Outcome::kLeftOut;
  if (kind == "host") return decode_sample<HostSampled>(in, host_);
  if (kind == "processes") return decode_sample<ProcessesSampled>(in, processes_);
  if (kind == "output" || kind.starts_with(kLensPrefix)) return decode_spoken(in, line, kind);
  return decode_rare(line, kind);
}

LineDecoder::Outcome LineDecoder::decode_spoken(Scanner& in, std::string_view line, std::string_view kind) {
  const auto rest = slice(line, line.size() - in.left());
  if (skim_ && kind == "lens_tick" && !thinner_.wants_tick(rest, at_)) return Outcome::kLeftOut;
  if (skim_ && kind == "output" && !thinner_.wants_output(rest, at_)) return Outcome::kLeftOut;
  std::string_view value;
  if (!in.read_raw(value) || !take_rest(in)) return Outcome::kNotUnderstood;
  if (kind == "output") {
    if (auto output = read_output_value(value)) return give({at_, *std::move(output)});
  } else if (auto said = read_lens_value(slice(kind, kLensPrefix.size()), value)) {
    return give({at_, *std::move(said)});
  }
  return decode_rare(line, kind);
}

LineDecoder::Outcome LineDecoder::give(Event event) {
  rare_ = std::move(event);
  event_ = &rare_;
  return Outcome::kEvent;
}

template <class Sample>
LineDecoder::Outcome LineDecoder::decode_sample(Scanner& in, Event& event) {
  const bool read = samples_.decode(in, std::get<Sample>(event.payload));
  rows_ = rows_of(std::get<Sample>(event.payload));
  if (!read || !take_rest(in)) {
    samples_.start_over(skim_);  // the line may be half applied, so do not build on these values
    return Outcome::kNotUnderstood;
  }
  event.at = at_;
  event_ = &event;
  return Outcome::kEvent;
}

LineDecoder::Outcome LineDecoder::decode_rare(std::string_view line, std::string_view kind) {
  if (!is_rare_kind(kind)) {
    unknown_kind_ = kind;
    return Outcome::kUnknownKind;
  }
  auto event = read_rare_line(line, at_);
  return event ? give(*std::move(event)) : Outcome::kNotUnderstood;
}

}  // namespace gputop::store
