#include "ui/layout.hpp"

#include <algorithm>
#include <string_view>

#include "ui/look.hpp"
#include "ui/no_gpus.hpp"

namespace gputop::ui {
namespace {

constexpr int kWide = 130;  // columns from which panes stand side by side
constexpr int kTall = 30;   // rows from which the advisor has a pane, else a strip
constexpr int kHostRows = 9;  // what most machines have to say
constexpr int kHostAlone = 16;  // and containers on large ones

// A row of panes that may be shown.
struct Candidate {
  std::string_view left;
  std::string_view right;
  int least;   // rows, below which it is dropped
  int wanted;  // before others get more
  int most;
  int weight;  // of the rows that are left
  int drop;    // the highest goes first
  bool titled = true;
};

class Builder {
 public:
  Builder(const Model& model, const View& view, int width, int height)
      : model_(model), view_(view), height_(height) {
    layout_.framed = width >= 60 && height >= 10;
    layout_.footer = height >= 4;
    titled_ = height >= 10;
    inner_ = width - (layout_.framed ? 2 : 0);
    room_ = height - 1 - (layout_.footer ? 1 : 0);
    wide_ = width >= kWide;
  }

  Layout build() {
    if (room_ <= 0) return layout_;
    if (view_.zoomed) {
      const int title = titled_ ? 1 : 0;
      layout_.bands.push_back({{{*view_.zoomed, inner_}}, title, room_ - title});
      return layout_;
    }
    for (auto& candidate : candidates()) add(candidate);
    drop_what_does_not_fit();
    share_out();
    return layout_;
  }

 private:
  [[nodiscard]] bool shown(std::string_view name) const {
    if (name.empty() || view_.hidden[pane_index(name)]) return false;
    // There is something to say, or a run that something will be said about.
    if (name == "advisor") return model_.run || !model_.advice.now().findings.empty();
    // Without a GPU and without a run all charts would stay empty.
    if (name == "charts" && !model_.run && model_.gpus.empty()) {
      return model_.gpu_source.state != SourceStatus::State::kUnavailable;
    }
    return name != "progress" || model_.run;
  }

  [[nodiscard]] int gpu_rows() const {
    const int count = static_cast<int>(model_.gpus.size());
    if (count == 0) {
      const auto said = no_gpus(model_, inner_ - 2);
      return std::max(2, static_cast<int>(said.why.size() + said.next.size()));
    }
    const int share = room_ * (model_.run ? 35 : wide_ ? 70 : 60) / 100;
    const bool two_tables = count + 1 > share && inner_ >= kWide;
    return std::clamp(two_tables ? (count + 1) / 2 + 1 : count + 1, 1, std::max(2, share));
  }

  [[nodiscard]] std::vector<Candidate> candidates() const {
    const int gpus = gpu_rows();
    const Candidate table{"gpus", "", std::min(gpus, height_ < 10 ? 2 : room_ / 2), gpus, gpus, 0, 1, false};
    const bool tall = height_ >= kTall;
    if (model_.run && wide_ && tall) {
      return {{"progress", "", 1, 1, 1, 0, 0, false},
              table,
              {"output", "advisor", 6, 18, 200, 6, 0},
              {"charts", "events", 6, 8, 14, 2, 3},
              {"processes", "host", 3, 7, 12, 1, 2}};
    }
    if (model_.run && tall) {
      return {{"progress", "", 1, 1, 1, 0, 0, false},
              table,
              {"output", "", 8, 9, 200, 4, 0},
              {"advisor", "", 11, 12, 16, 3, 0},
              {"charts", "", 6, 7, 12, 2, 4},
              {"processes", "", 2, 3, 8, 1, 5},
              {"events", "", 1, 2, 4, 1, 6},
              {"host", "", 1, 1, 1, 0, 3}};
    }
    if (model_.run) {
      return {{"progress", "", 1, 1, 1, 0, 0, false},
              table,
              {"charts", "", 9, 9, 12, 2, 5},
              {"output", "", height_ >= 20 ? 9 : 3, height_ >= 20 ? 10 : 12, 200, 6, 0},
              {"processes", "", 2, 3, 8, 1, 4},
              {"events", "", 2, 2, 4, 1, 6},
              {"advisor", "", height_ >= 20 ? 4 : 1, 5, 12, 1, 0},
              {"host", "", 1, 1, 1, 0, 3}};
    }
    // A list takes what it has to show; the charts and the advisor take the rest.
    const int processes = 1 + std::max(1, static_cast<int>(model_.processes.size()));
    const int events = std::max(1, static_cast<int>(model_.log.size()));
    if (wide_ && tall) {
      const bool advised = shown("advisor");
      std::vector<Candidate> rows{table, {"charts", advised ? "advisor" : "host", 6, 16, 200, 5, 2}};
      rows.push_back({"processes", advised ? "host" : "events", 3, std::min(8, std::max(processes, kHostRows)),
                      std::max(processes, advised ? kHostRows : events), 4, 1});
      if (advised) rows.push_back({"events", "", 1, std::min(2, events), std::min(8, events), 1, 4});
      return rows;
    }
    const auto& findings = model_.advice.now().findings;
    const bool well = findings.size() == 1 && findings.front().id == "healthy";  // that is one sentence
    return {table,
            {"advisor", "", 1, well ? 1 : tall ? 9 : 4, well ? 2 : 16, well ? 0 : 2, 2},
            {"charts", "", tall ? 6 : 9, 9, 200, 4, 4},
            {"processes", "", 2, std::min(5, processes), processes, 3, 1},
            {"events", "", 1, std::min(2, events), std::min(8, events), 1, 5},
            {"host", "", 1, 1, tall ? kHostRows : 1, 1, 3}};
  }

  void add(Candidate candidate) {
    if (!shown(candidate.left)) candidate.left = std::exchange(candidate.right, "");
    if (!shown(candidate.left)) return;
    if (!shown(candidate.right)) candidate.right = "";
    // Alone, it may take what it can get; but the host has said all it has after a few rows.
    if (candidate.left == "host") {
      candidate.wanted = std::min(candidate.wanted, kHostAlone);
      candidate.most = std::min(candidate.most, kHostAlone);
    }
    candidates_.push_back(candidate);
  }

  [[nodiscard]] int title_of(const Candidate& row) const { return titled_ && row.titled ? 1 : 0; }

  void drop_what_does_not_fit() {
    while (candidates_.size() > 1) {
      int needed = 0;
      for (const auto& row : candidates_) needed += row.least + title_of(row);
      if (needed <= room_) return;
      candidates_.erase(std::max_element(candidates_.begin(), candidates_.end(),
                                         [](const Candidate& a, const Candidate& b) { return a.drop <= b.drop; }));
    }
  }

  void share_out() {
    std::vector<int> rows;
    int spare = room_;
    int highest_drop = 0;
    for (const auto& row : candidates_) {
      rows.push_back(std::min(row.least, spare));
      spare -= rows.back() + std::min(title_of(row), std::max(0, spare - rows.back()));
      highest_drop = std::max(highest_drop, row.drop);
    }
    for (int drop = 0; drop <= highest_drop; ++drop) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (candidates_[i].drop == drop) grow(rows[i], candidates_[i].wanted, spare);
      }
    }
    int weights = 0;
    for (const auto& row : candidates_) weights += row.weight;
    const int all = spare;
    for (std::size_t i = 0; i < rows.size() && weights > 0; ++i) {
      int part = std::min(spare, all * candidates_[i].weight / weights);
      spare -= part;
      grow(rows[i], candidates_[i].most, part);
      spare += part;
    }
    for (std::size_t i = rows.size(); i-- > 0;) {
      if (candidates_[i].weight > 0) grow(rows[i], candidates_[i].most, spare);
    }
    // What nobody asked for goes to the processes, whose list may grow.
    if (!rows.empty() && spare > 0) {
      auto taker = std::find_if(candidates_.begin(), candidates_.end(),
                                [](const Candidate& row) { return row.left == "processes"; });
      if (taker == candidates_.end()) --taker;
      grow(rows[static_cast<std::size_t>(taker - candidates_.begin())], 10000, spare);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) place(candidates_[i], rows[i]);
  }

  static void grow(int& rows, int to, int& spare) {
    const int more = std::clamp(to - rows, 0, spare);
    rows += more;
    spare -= more;
  }

  void place(const Candidate& row, int height) {
    Band band{{}, title_of(row), height};
    const auto left = pane_index(row.left);
    if (row.right.empty()) {
      band.panes = {{left, inner_}};
    } else {
      // One line down the screen, wherever panes stand side by side.
      const int right = std::clamp(inner_ * (shown("advisor") ? 38 : 32) / 100, 30, 100);
      band.panes = {{left, inner_ - right - 1}, {pane_index(row.right), right}};
    }
    layout_.bands.push_back(std::move(band));
  }

  const Model& model_;
  const View& view_;
  int height_;
  Layout layout_;
  std::vector<Candidate> candidates_;
  bool titled_ = false;
  bool wide_ = false;
  int inner_ = 0;
  int room_ = 0;
};

}  // namespace

std::optional<Layout::Size> Layout::size_of(PaneIndex pane) const {
  for (const auto& band : bands) {
    for (const auto& placed : band.panes) {
      if (placed.pane == pane && placed.width > 0 && band.height > 0) return Size{placed.width, band.height};
    }
  }
  return std::nullopt;
}

std::vector<PaneIndex> Layout::panes() const {
  std::vector<PaneIndex> all;
  for (const auto& band : bands) {
    for (const auto& placed : band.panes) {
      if (kPanes[placed.pane].number > 0) all.push_back(placed.pane);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

Layout make_layout(const Model& model, const View& view, int width, int height) {
  return Builder{model, view, width, height}.build();
}

}  // namespace gputop::ui
