// gputop advise: the advisor's findings for a recording, a live run, or a GPU log.
#include "cli/commands.hpp"
#include "gputop/report/advice.hpp"
#include "gputop/stream/job_files.hpp"
#include "gputop/stream/job_findings.hpp"
#include "gputop/stream/recorded_input.hpp"
#include "gputop/viewer/preferences.hpp"

namespace gputop::cli {

int advise(const Options& options) {
  const auto preferences = load_preferences(options);
  complain_about(preferences);
  if (const auto files = job_behind(options.recording)) {
    const auto job = read_job_findings(options.recording, *files, preferences.advisor);
    if (!job) return failed(job.error());
    for (const auto& note : job->notes) complain(note);
    return print(options.json ? job_json(*job) : job_text(*job));
  }
  const auto findings = read_findings(options.recording, options.columns, preferences.advisor);
  if (!findings) {
    complain(findings.error().message);
    return 1;
  }
  for (const auto& note : findings->notes) complain(options.recording + ": " + note);
  return print(options.json ? advice_json(findings->advice, findings->facts)
                            : advice_text(findings->advice, findings->facts));
}

}  // namespace gputop::cli
