// A log without a header: units identify most columns, the shape of the values the rest. An ambiguous column is not
// guessed.
#include <algorithm>
#include <set>

#include "gputop/core/scan.hpp"
#include "sources/smi_log/columns.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::smi {
namespace {

// The contents of one column.
struct Profile {
  std::size_t index = 0;
  bool numbers = true;  // all known values are
  bool whole = true;    // no decimals
  bool counts = true;   // 0, 1, 2, 0, 1, 2: a GPU number
  bool grows = true;    // never decreases
  std::string unit;
  double least = 1e300;
  double most = -1e300;
  double last = -1;
  std::size_t known = 0;
  std::set<std::string> texts;
  std::string sample;

  [[nodiscard]] bool constant() const { return least == most; }
};

std::vector<Profile> profiles(const std::vector<std::vector<std::string>>& rows) {
  std::vector<Profile> all(rows.front().size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& profile = all[i];
    profile.index = i;
    for (const auto& row : rows) {
      if (i >= row.size()) continue;
      const auto cell = parse_cell(row[i]);
      if (cell.text.empty()) continue;
      ++profile.known;
      profile.sample = cell.text;
      if (profile.texts.size() < 20) profile.texts.insert(cell.text);
      if (!cell.number) {
        profile.numbers = false;
        continue;
      }
      if (cell.text.find('.') != std::string::npos) profile.whole = false;
      if (!cell.unit.empty()) profile.unit = cell.unit;
      const double before = profile.last;
      profile.last = *cell.number;
      profile.counts = profile.counts && (profile.last == before + 1 || profile.last == 0);
      profile.grows = profile.grows && profile.last >= before;
      profile.least = std::min(profile.least, *cell.number);
      profile.most = std::max(profile.most, *cell.number);
    }
  }
  return all;
}

// A board's memory in MiB: slightly less than a round number of gigabytes.
bool is_board(double size) {
  static constexpr double kGigabytes[] = {2,  3,  4,  5,  6,  8,  10, 11, 12, 16, 20,  22,
                                          24, 32, 40, 44, 45, 48, 64, 80, 94, 96, 141, 192};
  return std::any_of(std::begin(kGigabytes), std::end(kGigabytes),
                     [&](double board) { return size <= 1024 * board && size >= 1024 * board * 0.92; });
}

class Guesser {
 public:
  explicit Guesser(const std::vector<std::vector<std::string>>& rows)
      : profiles_(profiles(rows)), columns_(rows.front().size()) {}

  std::vector<Column> run() {
    texts();
    order();
    units();
    bare_numbers();
    const bool useful = std::any_of(columns_.begin(), columns_.end(), [](const Column& column) {
      return column.entry != nullptr && column.entry->name == "utilization_gpu";
    });
    return useful ? columns_ : std::vector<Column>{};
  }

 private:
  bool free(const Profile& profile) const { return columns_[profile.index].entry == nullptr && profile.known > 0; }
  void take(const Profile& profile, std::string_view name) { columns_[profile.index].entry = find_column(name); }

  std::vector<const Profile*> where(auto&& wanted) const {
    std::vector<const Profile*> found;
    for (const auto& profile : profiles_) {
      if (free(profile) && wanted(profile)) found.push_back(&profile);
    }
    return found;
  }

  void texts() {
    for (const auto& profile : profiles_) {
      if (profile.known == 0) continue;
      const auto& text = profile.sample;
      if (parse_time(text) && text.size() >= 19)
        take(profile, "timestamp");
      else if (text.starts_with("GPU-") || text.starts_with("MIG-"))
        take(profile, "uuid");
      else if (text.starts_with("0x"))
        take(profile, "clocks_throttle_reasons_active");
      else if (text.size() >= 2 && text.size() <= 3 && char_at(text, 0) == 'P' && char_at(text, 1) >= '0' &&
               char_at(text, 1) <= '9')
        take(profile, "pstate");
      else if (text.find(':') != std::string::npos && text.find('.') != std::string::npos && !profile.numbers)
        take(profile, "pci_bus_id");
      else if (!profile.numbers && (text.find("NVIDIA") != std::string::npos ||
                                    text.find("Tesla") != std::string::npos || text.find("RTX") != std::string::npos))
        take(profile, "name");
    }
  }

  // Which GPU, and when, as bare numbers.
  void order() {
    const auto bare = [](const Profile& p) { return p.numbers && p.unit.empty() && p.known > 1; };
    const auto numbers = where([&](const Profile& p) {
      return bare(p) && p.whole && p.counts && p.least == 0 && p.most >= 1 && p.most < 64 && !p.grows;
    });
    if (numbers.size() == 1) take(*numbers[0], "index");
    if (numbers.empty() && is_one_round()) take(profiles_.front(), "index");
    const auto seconds = where([&](const Profile& p) { return bare(p) && p.grows && p.least > 1e9 && p.most < 1e14; });
    if (seconds.size() == 1) take(*seconds[0], "timestamp");
  }

  // "0, 303 MiB, 100 %", then "1, …": each GPU once. A counter of somebody's own has no such units beside it.
  bool is_one_round() const {
    constexpr double kMostGpus = 16;
    const auto& first = profiles_.front();
    const bool timed = std::any_of(columns_.begin(), columns_.end(), [](const Column& column) {
      return column.entry != nullptr && column.entry->name == "timestamp";
    });
    const bool by_smi = std::any_of(profiles_.begin(), profiles_.end(), [](const Profile& p) { return p.unit == "MiB"; });
    return free(first) && by_smi && !timed && first.numbers && first.whole && first.unit.empty() && first.counts &&
           first.least == 0 && first.known > 1 && first.most + 1 == static_cast<double>(first.known) &&
           first.most < kMostGpus;
  }

  // nvidia-smi's own order: load before shares of something else.
  void units() {
    const auto by_unit = [&](std::string_view unit) {
      return where([&](const Profile& p) { return p.numbers && p.unit == unit; });
    };
    if (const auto percents = by_unit("%"); !percents.empty()) {
      take(*percents[0], "utilization_gpu");
      if (percents.size() > 1) take(*percents[1], "utilization_memory");
    }
    memory(by_unit("MiB"));
    power(by_unit("W"));
    if (const auto clocks = by_unit("MHz"); clocks.size() == 1) take(*clocks[0], "clocks_sm");
  }

  // Of two, the constant and larger one is the total.
  void memory(std::vector<const Profile*> sizes) {
    if (sizes.size() == 1)
      take(*sizes[0], sizes[0]->constant() && is_board(sizes[0]->most) ? "memory_total" : "memory_used");
    if (sizes.size() != 2) return;
    std::sort(sizes.begin(), sizes.end(), [](const auto* a, const auto* b) { return a->most > b->most; });
    if (!sizes[0]->constant()) return;
    take(*sizes[0], "memory_total");
    take(*sizes[1], "memory_used");
  }
  void power(const std::vector<const Profile*>& watts) {
    if (watts.size() == 1) take(*watts[0], "power_draw");
    if (watts.size() != 2) return;
    const bool second = watts[1]->constant() && !watts[0]->constant();
    const bool first = watts[0]->constant() && !watts[1]->constant();
    if (!second && !first) return;
    take(*watts[second ? 0 : 1], "power_draw");
    take(*watts[second ? 1 : 0], "power_limit");
  }

  // Only power has decimals; memory exceeds any percentage; a temperature is neither 0 nor 100.
  void bare_numbers() {
    power(where([](const Profile& p) { return p.numbers && p.unit.empty() && !p.whole; }));
    memory(where([](const Profile& p) { return p.numbers && p.unit.empty() && p.whole && (p.most > 150); }));
    const auto small = where([](const Profile& p) {
      return p.numbers && p.unit.empty() && p.whole && p.least >= 0 && p.most <= 110 && !p.constant();
    });
    const bool knows_work = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) {
      return c.entry != nullptr && c.entry->name == "utilization_gpu";
    });
    std::vector<const Profile*> work;
    std::vector<const Profile*> warmth;
    for (const auto* profile : small) {
      const bool may_be_warmth = profile->least >= 20 && profile->most <= 95 && profile->most - profile->least <= 45;
      (may_be_warmth ? warmth : work).push_back(profile);
    }
    if (!knows_work && work.empty() && warmth.size() == 1)
      work.swap(warmth);  // someone who logs one of the two logs the load
    if (warmth.size() == 1) take(*warmth[0], "temperature_gpu");
    if (!knows_work && !work.empty() && work.size() <= 2) {
      // utilization.gpu comes before utilization.memory, and is not below it.
      if (work.size() == 1 || work[0]->most >= work[1]->most) take(*work[0], "utilization_gpu");
      if (work.size() == 2 && work[0]->most >= work[1]->most) take(*work[1], "utilization_memory");
    }
  }

  std::vector<Profile> profiles_;
  std::vector<Column> columns_;
};

}  // namespace

std::vector<Column> guess_columns(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  return Guesser{rows}.run();
}

}  // namespace gputop::smi
