// What report and compare were asked for.
#pragma once

#include <string>
#include <vector>

namespace gputop::cli {

enum class ReportFormat { kMarkdown, kHtml, kJson, kCsv };

struct ReportOptions {
  std::vector<std::string> inputs;  // recordings, logs, runs
  ReportFormat format = ReportFormat::kMarkdown;
  std::string output;                // "": stdout
  std::vector<std::string> columns;  // of a log without a header
};

}  // namespace gputop::cli
