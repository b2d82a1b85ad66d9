#include "gputop/core/event.hpp"

namespace gputop {

std::string_view to_string(GpuHappened::Kind kind) {
  switch (kind) {
    case GpuHappened::Kind::kXid: return "xid";
    case GpuHappened::Kind::kEccUncorrected: return "ecc_uncorrected";
    case GpuHappened::Kind::kLost: return "lost";
    case GpuHappened::Kind::kReturned: return "returned";
    case GpuHappened::Kind::kNotAnswering: return "not_answering";
    case GpuHappened::Kind::kAnswering: return "answering";
    case GpuHappened::Kind::kSensorError: return "sensor_error";
  }
  return "?";
}

std::string_view to_string(Noted::Severity severity) {
  switch (severity) {
    case Noted::Severity::kInfo: return "info";
    case Noted::Severity::kWarning: return "warning";
    case Noted::Severity::kError: return "error";
  }
  return "?";
}

std::string_view to_string(Advised::Kind kind) {
  switch (kind) {
    case Advised::Kind::kAppeared: return "appeared";
    case Advised::Kind::kChanged: return "changed";
    case Advised::Kind::kWithdrawn: return "withdrawn";
  }
  return "?";
}

std::string_view to_string(ChangeReported::Stage stage) {
  switch (stage) {
    case ChangeReported::Stage::kWritten: return "written";
    case ChangeReported::Stage::kLive: return "live";
    case ChangeReported::Stage::kRelaunched: return "relaunched";
    case ChangeReported::Stage::kKept: return "kept";
    case ChangeReported::Stage::kSame: return "same";
    case ChangeReported::Stage::kWorse: return "worse";
    case ChangeReported::Stage::kFailed: return "failed";
    case ChangeReported::Stage::kWaiting: return "waiting";
    case ChangeReported::Stage::kOffered: return "offered";
    case ChangeReported::Stage::kDeclined: return "declined";
    case ChangeReported::Stage::kUndone: return "undone";
  }
  return "?";
}

}  // namespace gputop
