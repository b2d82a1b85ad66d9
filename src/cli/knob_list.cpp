#include "cli/knob_list.hpp"

namespace gputop::cli {

std::string knob_list(const knobs::KnobTable& table, const knobs::Found& found) {
  std::string text;
  for (const auto& knob : table.knobs) {
    bool first = true;
    for (const auto* candidate : knobs::candidates_of(found, knob.name)) {
      const bool there =
          candidate->place.how != knobs::Place::How::kAbsent || candidate->place.kind == knobs::Place::Kind::kArgument;
      if (!there) continue;  // a variable that is not set, the lens: possible for any run
      if (first) text += knob.name + " — " + knob.about + "\n";
      first = false;
      text += "  " + knobs::describe(*candidate) + "\n";
    }
  }
  return text.empty() ? "no setting that gputop knows was found\n" : text;
}

}  // namespace gputop::cli
