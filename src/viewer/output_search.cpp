#include "viewer/output_search.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "gputop/logs/line_splitter.hpp"
#include "gputop/ui/output_lines.hpp"

namespace gputop {
namespace {

// Size of a block that is emulated at once: enough for a page with lines around it, little enough to take no time.
constexpr std::size_t kBlockBytes = std::size_t{128} << 10U;
constexpr std::size_t kBlockLines = 1500;
constexpr std::size_t kAround = std::size_t{16} << 10U;  // before and after it
constexpr std::size_t kLinesAround = 300;
constexpr int kFramesAround = 20;
constexpr std::size_t kPageBytes = std::size_t{64} << 10U;
constexpr std::size_t kScrollback = 30000;  // holds all of that, even if every line takes several rows
constexpr int kLeastColumns = 20;
constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();

// The position after the first line's end. 0: no line ends within reason, so the bytes are a line of their own.
std::size_t first_cut(std::string_view bytes) {
  const auto at = bytes.substr(0, LineSplitter::kLongestLine).find_first_of("\r\n");
  if (at == std::string_view::npos) return 0;
  return at + (bytes.substr(at, 2) == "\r\n" ? 2 : 1);
}

std::size_t block_end(std::string_view bytes, std::size_t from, std::size_t most) {
  std::size_t lines = 0;
  auto end = from;
  while (end < bytes.size() && lines < kBlockLines) {
    const auto newline = bytes.find('\n', end);
    const auto next = newline == std::string_view::npos ? bytes.size() : newline + 1;
    if (next - from > most) return end > from ? end : std::min(bytes.size(), from + most);
    end = next;
    ++lines;
  }
  return end;
}

// Some of the last whole lines, and some of the first.
std::string lines_before(std::string_view bytes, std::size_t most, std::size_t most_lines) {
  std::size_t begin = bytes.size() - std::min(bytes.size(), most);
  if (begin > 0) {
    const auto newline = bytes.find('\n', begin - 1);
    if (newline != std::string_view::npos && newline + 1 < bytes.size()) begin = newline + 1;  // otherwise the line is cut
  }
  std::size_t lines = 0;
  for (auto at = bytes.size(); at > begin; --at) {
    if (bytes[at - 1] == '\n' && at < bytes.size() && ++lines >= most_lines) return std::string{bytes.substr(at)};
  }
  return std::string{bytes.substr(begin)};
}
std::string lines_behind(std::string_view bytes) {
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < kLinesAround; ++lines) {
    const auto newline = bytes.find('\n', end);
    if (newline == std::string_view::npos || newline + 1 > kAround) break;
    end = newline + 1;
  }
  return std::string{bytes.substr(0, end)};
}

bool line_matches(const LookBack& wanted, std::string_view line) {
  return wanted.what == LookBack::What::kError ? ui::looks_like_error(line)
                                               : !ui::matches_in(line, wanted.text).empty();
}

// Whether it is worth emulating: overwritten text counts, too.
bool may_hold(const LookBack& wanted, std::string_view bytes) {
  bool found = false;
  LineSplitter splitter;
  const LineSplitter::Sink look = [&](const LineSplitter::Line& line) {
    found = found || line_matches(wanted, line.text);
  };
  splitter.feed(Instant{}, bytes, look);
  splitter.finish(look);
  return found;
}

std::uint64_t cursor_line(const term::Emulator& terminal) {
  const auto cursor = terminal.cursor();
  return terminal.screen_line() + static_cast<std::uint64_t>(cursor.y);
}

}  // namespace

OutputSearch::OutputSearch(RecordedOutput recorded, Options options, Progress progress)
    : recorded_(std::move(recorded)), options_(options), progress_(std::move(progress)) {}

std::unique_ptr<ui::PastOutput> OutputSearch::find(const LookBack& wanted) {
  const bool page = wanted.what == LookBack::What::kPage;
  if (wanted.older) {
    const auto before = std::min(wanted.from.value_or(options_.edge), options_.edge);
    return page ? page_older(wanted, before) : find_older(wanted, before);
  }
  const auto from = wanted.from.value_or(0);
  return page ? page_newer(wanted, from) : find_newer(wanted, from);
}

bool OutputSearch::go_on(std::uint64_t done, std::uint64_t all) {
  return progress_(all == 0 ? 100 : static_cast<int>(100 * std::min(done, all) / all));
}

OutputSearch::Text OutputSearch::text_of(OutputFrame frame, std::string_view next) {
  const auto cut = frame.begin == 0 ? 0 : first_cut(frame.bytes);
  Text text{.frame = std::move(frame), .bytes = {}, .begin = 0};
  text.begin = text.frame.begin + cut;
  text.bytes = text.frame.bytes.substr(cut);
  text.bytes += next.substr(0, first_cut(next));
  return text;
}

std::unique_ptr<ui::PastOutput> OutputSearch::find_older(const LookBack& wanted, std::uint64_t before) {
  const auto all = before;
  std::string next;  // the beginning of the frame after it
  std::uint64_t offset = wanted.frame ? *wanted.frame + 1 : recorded_.size();
  if (wanted.frame) next = with_newer("", *wanted.frame, LineSplitter::kLongestLine);
  while (auto frame = recorded_.before(offset, before)) {
    offset = frame->offset;
    if (frame->bytes.empty()) {
      if (!go_on(all - before, all)) return nullptr;
      continue;
    }
    auto text = text_of(*std::move(frame), next);
    if (text.begin < before) {
      if (text.end() > before) text.bytes.resize(static_cast<std::size_t>(before - text.begin));
      std::vector<std::size_t> blocks;
      for (std::size_t at = 0; at < text.bytes.size(); at = block_end(text.bytes, at, kBlockBytes))
        blocks.push_back(at);
      auto to = text.bytes.size();
      for (auto from = blocks.rbegin(); from != blocks.rend(); to = *from++) {
        if (auto found = look_at(wanted, text, *from, to)) return found;
        if (!go_on(all - text.begin - *from, all)) return nullptr;
      }
      before = text.begin;
    }
    next = text.frame.bytes.substr(0, LineSplitter::kLongestLine);
  }
  return nullptr;
}

std::unique_ptr<ui::PastOutput> OutputSearch::find_newer(const LookBack& wanted, std::uint64_t from) {
  for (auto frame = recorded_.from(wanted.frame.value_or(0)); frame && frame->begin < options_.edge;) {
    auto next = recorded_.from(frame->offset + 1);
    while (next && next->bytes.empty()) next = recorded_.from(next->offset + 1);
    if (!frame->bytes.empty()) {
      auto text = text_of(*std::move(frame), next ? std::string_view{next->bytes} : std::string_view{});
      const auto inside = options_.edge - std::min(options_.edge, text.begin);
      if (text.bytes.size() > inside) text.bytes.resize(static_cast<std::size_t>(inside));
      auto at = static_cast<std::size_t>(std::min<std::uint64_t>(from - std::min(from, text.begin), text.bytes.size()));
      while (at < text.bytes.size()) {
        const auto to = block_end(text.bytes, at, kBlockBytes);
        if (auto found = look_at(wanted, text, at, to)) return found;
        if (!go_on(text.begin + to, options_.edge)) return nullptr;
        at = to;
      }
      from = std::max(from, text.end());
    }
    if (!go_on(from, options_.edge)) return nullptr;
    frame = std::move(next);
  }
  return nullptr;
}

std::unique_ptr<ui::PastOutput> OutputSearch::page_older(const LookBack& wanted, std::uint64_t before) {
  std::uint64_t offset = wanted.frame ? *wanted.frame + 1 : recorded_.size();
  while (auto frame = recorded_.before(offset, before)) {
    offset = frame->offset;
    if (frame->bytes.empty()) continue;
    const auto kept = static_cast<std::size_t>(std::min<std::uint64_t>(before - frame->begin, frame->bytes.size()));
    if (kept == 0) continue;
    auto bytes = with_older(frame->bytes.substr(0, kept), offset, kPageBytes);
    bytes = lines_before(bytes, kPageBytes, kBlockLines);
    const auto end = frame->begin + kept;
    return show({.before = {},
                 .bytes = bytes,
                 .behind = {},
                 .begin = end - std::min<std::uint64_t>(end, bytes.size()),
                 .frame = offset,
                 .at = frame->at(kept - 1)});
  }
  return nullptr;
}

std::unique_ptr<ui::PastOutput> OutputSearch::page_newer(const LookBack& wanted, std::uint64_t from) {
  for (auto frame = recorded_.from(wanted.frame.value_or(0)); frame && frame->begin < options_.edge;
       frame = recorded_.from(frame->offset + 1)) {
    if (frame->end() <= from) continue;
    const auto begin = std::max(from, frame->begin);
    if (begin >= options_.edge) break;
    const auto skip = static_cast<std::size_t>(begin - frame->begin);
    auto bytes = with_newer(frame->bytes.substr(skip), frame->offset, kPageBytes);
    bytes.resize(std::min<std::uint64_t>({bytes.size(), options_.edge - begin, block_end(bytes, 0, kPageBytes)}));
    return show(
        {.before = {}, .bytes = bytes, .behind = {}, .begin = begin, .frame = frame->offset, .at = frame->at(skip)});
  }
  return nullptr;
}

std::string OutputSearch::with_older(std::string bytes, std::uint64_t offset, std::size_t most) {
  for (int frames = 0; bytes.size() < most && frames < kFramesAround; ++frames) {
    const auto frame = recorded_.before(offset, kEverything);
    if (!frame) break;
    offset = frame->offset;
    bytes.insert(0, frame->bytes);
  }
  return bytes;
}

std::string OutputSearch::with_newer(std::string bytes, std::uint64_t offset, std::size_t most) {
  for (int frames = 0; bytes.size() < most && frames < kFramesAround; ++frames) {
    const auto frame = recorded_.from(offset + 1);
    if (!frame) break;
    offset = frame->offset;
    bytes += frame->bytes;
  }
  return bytes;
}

std::unique_ptr<ui::PastOutput> OutputSearch::look_at(const LookBack& wanted,
                                                      const Text& text,
                                                      std::size_t from,
                                                      std::size_t to) {
  const auto block = text.bytes.substr(from, to - from);
  if (!may_hold(wanted, block)) return nullptr;
  const auto& frame = text.frame;
  const auto begin = static_cast<std::size_t>(text.begin - frame.begin) + from;  // in the frame
  const auto end = std::min(begin + block.size(), frame.bytes.size());
  const auto before = with_older(frame.bytes.substr(0, begin), frame.offset, kAround);
  auto behind = with_newer(frame.bytes.substr(end), frame.offset, kAround);
  behind.erase(0, begin + block.size() - end);  // without what the block took from the next frame
  auto past = show({.before = lines_before(before, kAround, kLinesAround),
                    .bytes = block,
                    .behind = lines_behind(behind),
                    .begin = text.begin + from,
                    .frame = frame.offset,
                    .at = frame.at(begin)});
  const ui::LineRange lines{past->from_line, past->to_line};
  past->found = wanted.what == LookBack::What::kError
                    ? ui::find_error(past->terminal, lines, std::nullopt)
                    : ui::find_line(past->terminal, wanted.text, lines, std::nullopt, wanted.older ? -1 : 1);
  return past->found ? std::move(past) : nullptr;
}

std::unique_ptr<ui::PastOutput> OutputSearch::show(const Stretch& stretch) const {
  auto past = std::make_unique<ui::PastOutput>(
      ui::PastOutput{.terminal = term::Emulator{{.columns = std::max(options_.columns, kLeastColumns),
                                                 .rows = options_.rows,
                                                 .scrollback = kScrollback,
                                                 .newline_returns = options_.newline_returns}},
                     .begin = stretch.begin,
                     .end = stretch.begin + stretch.bytes.size(),
                     .found = std::nullopt,
                     .shown_begin = stretch.begin - std::min<std::uint64_t>(stretch.begin, stretch.before.size()),
                     .shown_end = stretch.begin + stretch.bytes.size() + stretch.behind.size(),
                     .frame = stretch.frame,
                     .at = stretch.at});
  auto& terminal = past->terminal;
  terminal.feed(stretch.before);
  past->from_line = cursor_line(terminal);
  terminal.feed(stretch.bytes);
  past->to_line = cursor_line(terminal) + (terminal.cursor().x > 0 ? 1 : 0);
  terminal.feed(stretch.behind);
  past->from_line = std::max(past->from_line, terminal.first_line());
  return past;
}

}  // namespace gputop
