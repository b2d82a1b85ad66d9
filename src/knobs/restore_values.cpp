// An edit taken back among other people's edits: see document.hpp.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop::knobs {
namespace {

struct Restored {
  const Entry* place;  // in the text as it is now
  std::string_view bytes;
  std::size_t space = 0;  // "key:" became "key: 48": the byte before the value is ours, too
};

std::string_view bytes_of(std::string_view text, const Entry& entry) {
  return slice(text, entry.begin, entry.end - entry.begin);
}

// Of an empty value the reader may say that it begins at the colon, before its space.
bool follows_space(std::string_view text, const Entry& entry) {
  const bool empty = entry.begin == entry.end;
  return (entry.begin > 0 && slice(text, entry.begin - 1, 1) == " ") || (empty && slice(text, entry.begin, 1) == " ");
}

Error refuse(const Entry& entry, std::string why) {
  return {Error::Kind::kMismatch, printable(joined(entry.path)) + " " + std::move(why) + ": take it back by hand"};
}

}  // namespace

Result<std::string> restore_values(Format format,
                                   std::string_view before,
                                   std::string_view written,
                                   std::string_view now) {
  if (now == written) return std::string{before};
  const auto old = read_document(format, before);
  const auto made = read_document(format, written);
  const auto here = read_document(format, now);
  if (!here) return here.error();
  if (!old || !made || old->entries.size() != made->entries.size()) {
    return Error{Error::Kind::kInvalid, "is not what was written, and cannot be compared with it"};
  }
  std::vector<Restored> places;
  for (std::size_t i = 0; i < made->entries.size(); ++i) {
    const Entry& entry = made->entries[i];
    const auto was = bytes_of(before, old->entries[i]);
    const auto is = bytes_of(written, entry);
    if (was == is) continue;
    const auto same_path = [&](const Entry& other) { return other.path == entry.path; };
    const auto place = std::find_if(here->entries.begin(), here->entries.end(), same_path);
    if (place == here->entries.end()) return refuse(entry, "is not there any more");
    const auto found = bytes_of(now, *place);
    if (found == was) continue;
    const bool one = std::none_of(place + 1, here->entries.end(), same_path);
    if (!one || found != is || place->quoted != old->entries[i].quoted) {
      return refuse(entry, "is " + printable(found) + " now, and not the " + printable(is) + " that was written");
    }
    const bool added_space = was.empty() && follows_space(now, *place) && !follows_space(before, old->entries[i]);
    places.push_back({&*place, was, added_space ? 1U : 0U});
  }
  std::string text{now};
  std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.place->begin > b.place->begin; });
  for (const auto& [place, bytes, space] : places) {
    text.replace(place->begin - space, place->end - place->begin + space, bytes);
  }
  // As for an edit: what was put back must read back as what it was, and everything else as it is now.
  const auto again = read_document(format, text);
  bool good = again && again->units == here->units && again->entries.size() == here->entries.size();
  for (std::size_t i = 0; good && i < again->entries.size(); ++i) {
    const Entry& entry = again->entries[i];
    const auto put = std::find_if(places.begin(), places.end(),
                                  [&](const Restored& each) { return each.place == &here->entries[i]; });
    good = entry.path == here->entries[i].path && entry.quoted == here->entries[i].quoted &&
           (put == places.end() ? entry.value == here->entries[i].value : bytes_of(text, entry) == put->bytes);
  }
  if (!good) {
    return Error{Error::Kind::kMismatch, "the old values do not fit into it any more: take them back by hand"};
  }
  return text;
}

}  // namespace gputop::knobs
