#include "store/line_encoder.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"
#include "store/crc32.hpp"
#include "store/line_time.hpp"
#include "store/output_text.hpp"
#include "store/event_json.hpp"

namespace gputop::store {
namespace {

// Sources come and go; a frame's header must stay bounded.
constexpr std::size_t kMostContext = 32;

std::string rare_line(std::int64_t milliseconds, const Payload& payload) {
  return "{\"t\":" + std::to_string(milliseconds) + ",\"" + std::string{kind_of(payload)} +
         "\":" + rare_payload(payload) + "}";
}

}  // namespace

void LineEncoder::begin_frame(std::uint64_t frame, Instant at, std::string& out) {
  samples_.start_over();
  last_milliseconds_ = to_milliseconds(at);
  checked_at_ = at;
  const std::size_t start = out.size();
  out += "{\"schema\":";
  write_string(out, kSchema);
  out += ",\"frame\":" + std::to_string(frame) + ",\"t\":" + std::to_string(last_milliseconds_) + ",\"context\":[";
  for (std::size_t i = 0; i < context_.size(); ++i) out += (i > 0 ? "," : "") + context_[i].second;
  out += "]";
  if (output_ends_ != OutputEnds{}) {
    out += ",\"output\":[" + std::to_string(output_ends_[0]) + "," + std::to_string(output_ends_[1]) + "]";
  }
  out += "}\n";
  crc_ = crc32(0, slice(std::string_view{out}, start));
  unchecked_bytes_ = out.size() - start;
}

void LineEncoder::append(const Event& event, std::string& out) {
  const std::int64_t milliseconds = to_milliseconds(event.at);
  const Instant at = from_milliseconds(milliseconds);
  if (at - checked_at_ >= kCheckEvery || unchecked_bytes_ >= kCheckBytes) {
    check(out);
    checked_at_ = at;
  }
  const std::size_t start = out.size();
  write_line(event, at, out);
  if (out.size() - start > kMaxLine) {
    out.resize(start);
    samples_.start_over();  // the line just written was dropped, so do not build on it
    write_line({at, Noted{Noted::Severity::kWarning, "a reading was too large to record"}}, at, out);
  }
  last_milliseconds_ = milliseconds;
  remember(event, milliseconds);
  crc_ = crc32(crc_, slice(std::string_view{out}, start));
  unchecked_bytes_ += out.size() - start;
}

void LineEncoder::write_line(const Event& event, Instant at, std::string& out) {
  out += '{';
  if (const auto milliseconds = to_milliseconds(at); milliseconds != last_milliseconds_) {
    out += "\"t\":";
    write_integer(out, milliseconds);
    out += ',';
  }
  out += '"';
  out += kind_of(event.payload);
  out += "\":";
  if (const auto* gpus = std::get_if<GpusSampled>(&event.payload)) {
    samples_.encode(at, *gpus, out);
  } else if (const auto* host = std::get_if<HostSampled>(&event.payload)) {
    samples_.encode(at, *host, out);
  } else if (const auto* processes = std::get_if<ProcessesSampled>(&event.payload)) {
    samples_.encode(at, *processes, out);
  } else if (const auto* output = std::get_if<OutputWritten>(&event.payload)) {
    write_output(out, *output);
  } else {
    out += rare_payload(event.payload);
  }
  out += "}\n";
}

void LineEncoder::check(std::string& out) {
  out += "{\"check\":";
  write_unsigned(out, crc_);
  out += "}\n";
  crc_ = 0;
  unchecked_bytes_ = 0;
  checked_at_ = from_milliseconds(last_milliseconds_);
}

void LineEncoder::remember(const Event& event, std::int64_t milliseconds) {
  if (const auto* output = std::get_if<OutputWritten>(&event.payload)) {
    if (output->stream < output_ends_.size()) output_ends_[output->stream] = output->offset + output->bytes.size();
    return;
  }
  std::string key;
  if (std::holds_alternative<StreamStarted>(event.payload)) {
    context_.clear();
    key = "stream";
  } else if (std::holds_alternative<ClockAdjusted>(event.payload)) {
    key = "clock";
  } else if (const auto* source = std::get_if<SourceStatus>(&event.payload)) {
    key = "source " + source->source;
  } else {
    return;
  }
  std::erase_if(context_, [&](const auto& entry) { return entry.first == key; });
  if (context_.size() < kMostContext) context_.emplace_back(std::move(key), rare_line(milliseconds, event.payload));
}

}  // namespace gputop::store
