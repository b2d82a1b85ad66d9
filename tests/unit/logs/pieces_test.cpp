// Pieces of output with their truth beside them: tests/transcripts/pieces/NAME.txt and NAME.truth, see the README
// there. GPUTOP_PIECES names another folder to score.
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "gputop/logs/run_log.hpp"
#include "gputop/logs/throughput.hpp"

using namespace gputop;

namespace {

using Truth = std::map<std::string, std::string>;

struct Piece {
  std::string name;
  std::string output;
  Truth truth;
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Piece> pieces(const std::filesystem::path& folder) {
  std::vector<Piece> found;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() != ".truth") continue;
    Piece piece{
        entry.path().stem().string(), text_of(std::filesystem::path{entry.path()}.replace_extension(".txt")), {}};
    std::istringstream lines{text_of(entry.path())};
    for (std::string line; std::getline(lines, line);) {
      const auto colon = line.find(": ");
      if (colon != std::string::npos && line[0] != '#') piece.truth[line.substr(0, colon)] = line.substr(colon + 2);
    }
    found.push_back(std::move(piece));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

// The run as it would have been seen: a line at a time, `seconds` apart.
RunLog played(const Piece& piece) {
  RunLog log;
  const auto setting = [&](const char* name) {
    const auto at = piece.truth.find(name);
    return at == piece.truth.end() ? std::string{} : at->second;
  };
  const double gap = setting("seconds").empty() ? 1 : std::stod(setting("seconds"));
  double now = 1;
  std::uint64_t offset = 0;
  std::string_view rest = piece.output;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of("\r\n"), rest.size() - 1);
    const std::string line{rest.substr(0, end + 1)};
    log.output(at_seconds(now), {.stream = 0, .offset = offset, .bytes = line});
    offset += line.size();
    rest.remove_prefix(end + 1);
    now += gap;
  }
  if (const auto exit = setting("exit"); !exit.empty()) {
    const int code = std::stoi(exit);
    log.ended(at_seconds(now), {code, std::nullopt, code == 0 ? "finished" : "exited with code " + exit, {}});
  }
  if (const auto signal = setting("signal"); !signal.empty())
    log.ended(at_seconds(now), {std::nullopt, std::stoi(signal), "was killed by a signal", {}});
  return log;
}

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string said(const RunLog& log, const std::string& what) {
  const auto& now = log.progress();
  const auto value = [](const auto& reading) { return reading ? number(static_cast<double>(*reading)) : "none"; };
  const auto seconds = [](const Reading<Duration>& reading) { return reading ? number(to_seconds(*reading)) : "none"; };
  if (what == "step") return value(now.step);
  if (what == "total") return value(now.total);
  if (what == "epoch") return value(now.epoch);
  if (what == "epochs") return value(now.epochs);
  if (what == "loss") return value(now.loss);
  if (what == "rate") return value(now.steps_per_second);
  if (what == "samples") return value(now.samples_per_second);
  if (what == "tokens") return value(now.tokens_per_second);
  if (what == "lr") return value(now.learning_rate);
  if (what == "eta") return seconds(now.eta);
  if (what == "data") return seconds(now.data_time);
  if (what == "mem") return now.memory ? number(static_cast<double>(now.memory->value()) / (1024 * 1024)) : "none";
  if (what == "phase") return std::string{to_string(now.phase)};
  if (what == "restarts") return std::to_string(now.restarts);
  if (what == "end") return std::string{to_string(log.end().kind)};
  if (what == "oom") return log.end().oom ? std::string{to_string(log.end().oom->kind)} : "none";
  if (what == "survived") return std::to_string(log.end().survived_ooms);
  if (what == "detail") return log.end().detail;
  for (const auto& metric : log.metrics()) {
    if (metric.label() == what) return number(metric.last);
  }
  return "none";
}

// "~X": X is part of it. "X..Y": between them. "X|Y": either. Numbers within 1 %.
bool is_right(const std::string& wanted, const std::string& found) {
  if (const auto bar = wanted.rfind('|'); bar != std::string::npos)
    return is_right(wanted.substr(0, bar), found) || is_right(wanted.substr(bar + 1), found);
  if (wanted.starts_with("~")) return found.find(wanted.substr(1)) != std::string::npos;
  if (wanted == found) return true;
  char* end = nullptr;
  if (const auto dots = wanted.find(".."); dots != std::string::npos) {
    const double value = std::strtod(found.c_str(), &end);
    return *end == 0 && value >= std::stod(wanted.substr(0, dots)) && value <= std::stod(wanted.substr(dots + 2));
  }
  const double number_wanted = std::strtod(wanted.c_str(), &end);
  if (*end != 0 || found == "none") return false;
  const double number_found = std::strtod(found.c_str(), &end);
  return *end == 0 && std::abs(number_wanted - number_found) <= 0.01 * std::abs(number_wanted) + 1e-9;
}

struct Score {
  int right = 0;
  int partly = 0;
  int wrong = 0;
  int missed = 0;
  [[nodiscard]] int all() const { return right + partly + wrong + missed; }
};

void score(const Piece& piece, Score& progress, Score& ends) {
  const auto log = played(piece);
  int right = 0;
  int unknown = 0;
  std::string wrong;
  std::string missing;
  for (const auto& [what, wanted] : piece.truth) {
    if (what == "exit" || what == "signal" || what == "seconds" || what == "from") continue;
    const auto found = said(log, what);
    if (is_right(wanted, found)) {
      ++right;
    } else if (found == "none" || found.empty() || (what == "end" && (found == "failed" || found == "killed"))) {
      ++unknown;
      missing += " " + what + " (" + wanted + (found == "none" ? "" : ", said " + found) + ")";
    } else {
      wrong += " " + what + " is " + found + ", not " + wanted + ";";
    }
  }
  auto& counts = piece.truth.contains("end") ? ends : progress;
  if (wrong.empty() && unknown == 0)
    ++counts.right;
  else if (!wrong.empty())
    ++counts.wrong;
  else
    ++(right > 0 ? counts.partly : counts.missed);
  if (!wrong.empty() || unknown > 0)
    std::cout << piece.name << ":" << wrong << (missing.empty() ? "" : " missing:") << missing << "\n";
}

}  // namespace

TEST_CASE("pieces: 95 % of all are read right, and at most one in a hundred wrong", "[logs]") {
  const char* folder = std::getenv("GPUTOP_PIECES");
  Score progress;
  Score ends;
  for (const auto& piece :
       pieces(folder ? std::filesystem::path{folder} : std::filesystem::path{TRANSCRIPTS_DIR} / "pieces"))
    score(piece, progress, ends);
  for (const auto& [name, counts] : {std::pair{"progress", progress}, std::pair{"ends", ends}}) {
    std::cout << "pieces: " << name << ": " << counts.right << " right, " << counts.partly << " partly, "
              << counts.wrong << " wrong, " << counts.missed << " missed of " << counts.all() << "\n";
    if (folder) continue;
    CHECK(counts.right >= 0.95 * counts.all());
    CHECK(counts.wrong <= 0.01 * counts.all());
  }
}
