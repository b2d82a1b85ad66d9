#include "knobs/argument_edit.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"

namespace gputop::knobs {

Result<std::vector<std::string>> edit_arguments(std::vector<std::string> argv, std::vector<ArgumentEdit> edits) {
  // From the end, so that positions in front stay what they are; of several at one word, the later bytes first.
  std::vector<const ArgumentEdit*> order;
  for (const auto& edit : edits) {
    auto at = order.end();
    while (at != order.begin() && std::pair{(*(at - 1))->place.word, (*(at - 1))->place.begin} < std::pair{edit.place.word, edit.place.begin}) {
      --at;
    }
    order.insert(at, &edit);
  }
  for (const auto* edit : order) {
    const auto& [place, to] = *edit;
    const auto at = argv.begin() + static_cast<std::ptrdiff_t>(std::min(place.word, argv.size()));
    switch (place.how) {
      case Place::How::kReplace: {
        const std::string old = slice(*at, place.begin, place.end - place.begin);
        const auto written = write_like(old, false, to, Dialect::kWords);
        if (!written) return written.error();
        at->replace(place.begin, place.end - place.begin, *written);
        break;
      }
      case Place::How::kPresent:
        if (to != Value{false}) return Error{Error::Kind::kNotSupported, place.key + " is a flag without a value"};
        argv.erase(at);
        break;
      case Place::How::kAbsent: {
        if (place.alone) {
          if (to != Value{true}) return Error{Error::Kind::kNotSupported, place.key + " is a switch without a value"};
          argv.insert(at, place.key);
          break;
        }
        const auto written = write_like("", false, to, Dialect::kWords);
        if (!written) return written.error();
        if (place.key.ends_with('=')) {
          argv.insert(at, place.key + *written);
          break;
        }
        argv.insert(argv.insert(at, *written), place.key);
        break;
      }
    }
  }
  return argv;
}

}  // namespace gputop::knobs
