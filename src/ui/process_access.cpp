#include "ui/process_access.hpp"

#include "gputop/core/format.hpp"

namespace gputop::ui {

bool is_mine(const ProcessRow& row, const Identity& identity) {
  return row.host && row.host->uid && *row.host->uid == identity.uid;
}

std::string why_not_signal(const ProcessRow& row, const Identity& identity) {
  const auto pid = std::to_string(row.pid);
  if (identity.readonly) return "no signals: gputop runs with --readonly";
  if (!row.host) return "process " + pid + " is not visible from here: it ended, or lives in another container";
  if (!is_mine(row, identity) && !identity.root) {
    const auto owner = row.host->user.empty() ? "another user" : printable(row.host->user);
    return "process " + pid + " belongs to " + owner + ": only they or root may signal it";
  }
  if (!row.host->started) return "process " + pid + " has no known start time: it cannot be told apart from a later one";
  return {};
}

}  // namespace gputop::ui
