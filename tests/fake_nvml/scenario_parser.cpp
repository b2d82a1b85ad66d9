#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "fake_nvml/scenario.hpp"

namespace fake_nvml {
namespace {

using Words = std::vector<std::string>;

constexpr unsigned kMostGpus = 1024;

// Split at blanks; "…" holds blanks; # begins a comment.
Words split(const std::string& line) {
  Words words;
  for (std::size_t i = 0; i < line.size();) {
    if (std::isspace(static_cast<unsigned char>(line[i])) != 0) {
      ++i;
    } else if (line[i] == '#') {
      break;
    } else if (line[i] == '"') {
      const auto end = line.find('"', i + 1);
      if (end == std::string::npos) throw std::string{"a \" is not closed"};
      words.push_back(line.substr(i + 1, end - i - 1));
      i = end + 1;
    } else {
      auto end = i;
      while (end < line.size() && std::isspace(static_cast<unsigned char>(line[end])) == 0) ++end;
      words.push_back(line.substr(i, end - i));
      i = end;
    }
  }
  return words;
}

std::string with_index(std::string text, unsigned gpu) {
  for (auto at = text.find("{i}"); at != std::string::npos; at = text.find("{i}"))
    text.replace(at, 3, std::to_string(gpu));
  return text;
}

unsigned whole(const std::string& text, unsigned gpu = 0) {
  const auto number = parse_number(text, gpu);
  if (!number || *number < 0) throw "\"" + text + "\" is not a whole number";
  return static_cast<unsigned>(*number);
}

double seconds(const std::string& text) {
  const auto parsed = parse_seconds(text);
  if (!parsed) throw "\"" + text + "\" is not a time (as 20ms, 50us, 3s, forever)";
  return *parsed;
}

int code_named(const std::string& text) {
  constexpr std::array<std::pair<const char*, int>, 12> kCodes{{{"uninitialized", 1},
                                                                {"invalid_argument", 2},
                                                                {"not_supported", 3},
                                                                {"no_permission", 4},
                                                                {"not_found", 6},
                                                                {"driver_not_loaded", 9},
                                                                {"timeout", 10},
                                                                {"gpu_is_lost", 15},
                                                                {"reset_required", 16},
                                                                {"version_mismatch", 18},
                                                                {"no_data", 21},
                                                                {"unknown", 999}}};
  for (const auto& [name, code] : kCodes) {
    if (text == name) return code;
  }
  return static_cast<int>(whole(text));
}

// "0", "0-3,5", "*".
std::vector<bool> selection(const std::string& text, std::size_t count) {
  std::vector<bool> selected(count, text == "*");
  if (text == "*") return selected;
  std::stringstream parts{text};
  for (std::string part; std::getline(parts, part, ',');) {
    unsigned first = 0;
    unsigned last = 0;
    const int fields = std::sscanf(part.c_str(), "%u-%u", &first, &last);
    if (fields < 1) throw "\"" + text + "\" does not name GPUs (as 0, 0-3,5 or *)";
    if (fields == 1) last = first;
    if (last >= count || first > last) throw "\"" + part + "\": there are " + std::to_string(count) + " GPUs, from 0";
    for (auto i = first; i <= last; ++i) selected[i] = true;
  }
  return selected;
}

// The rest of a line as KEY VALUE pairs.
template <class Take>
void each_pair(const Words& words, std::size_t from, Take take) {
  for (std::size_t i = from; i < words.size(); i += 2) {
    if (i + 1 == words.size()) throw "\"" + words[i] + "\" needs a value";
    if (!take(words[i], words[i + 1])) throw "\"" + words[i] + "\" is not known here";
  }
}

bool take_span(Span& span, const std::string& key, const std::string& value) {
  if (key == "from" || key == "at")
    span.from = seconds(value);
  else if (key == "until")
    span.until = seconds(value);
  else if (key == "for")
    span.until = span.from + seconds(value);
  else
    return false;
  return true;
}

std::uint64_t bytes(const std::string& text, unsigned gpu) {
  const auto number = parse_number(text, gpu);
  if (!number) throw "\"" + text + "\" is not an amount of memory (as 2GiB)";
  return static_cast<std::uint64_t>(*number);
}

ProcessSpec parse_process(const Words& words, std::size_t from, unsigned gpu) {
  if (from >= words.size()) throw std::string{"process needs a PID (a number, self or parent)"};
  ProcessSpec process;
  const auto& pid = words[from];
  process.pid = pid == "self"     ? static_cast<unsigned>(::getpid())
                : pid == "parent" ? static_cast<unsigned>(::getppid())
                                  : whole(pid, gpu);
  each_pair(words, from + 1, [&](const std::string& key, const std::string& value) {
    if (key == "type") {
      if (value != "C" && value != "G" && value != "C+G" && value != "M") throw "type is C, G, C+G or M, not " + value;
      process.compute = value[0] == 'C';
      process.graphics = value.back() == 'G';
      process.mps = value == "M";
    } else if (key == "memory") {
      process.memory.reset();
      if (value != "unknown") process.memory = bytes(value, gpu);
    } else if (key == "sm")
      process.sm = whole(value, gpu);
    else if (key == "encoder")
      process.encoder = whole(value, gpu);
    else if (key == "decoder")
      process.decoder = whole(value, gpu);
    else if (key == "gi")
      process.gpu_instance = whole(value);
    else if (key == "ci")
      process.compute_instance = whole(value);
    else
      return take_span(process.span, key, value);
    return true;
  });
  return process;
}

InstanceSpec parse_instance(const Words& words, std::size_t from, unsigned gpu) {
  if (from >= words.size()) throw std::string{"instance needs its number"};
  InstanceSpec instance;
  instance.index = whole(words[from]);
  instance.uuid = "MIG-fake-" + std::to_string(gpu) + "-" + std::to_string(instance.index);
  each_pair(words, from + 1, [&](const std::string& key, const std::string& value) {
    if (key == "gi")
      instance.gpu_instance = whole(value);
    else if (key == "ci")
      instance.compute_instance = whole(value);
    else if (key == "memory_total")
      instance.memory_total = bytes(value, gpu);
    else if (key == "memory_used")
      instance.memory_used = bytes(value, gpu);
    else if (key == "name")
      instance.name = with_index(value, gpu);
    else if (key == "uuid")
      instance.uuid = with_index(value, gpu);
    else
      return false;
    return true;
  });
  return instance;
}

EventSpec parse_event(const Words& words, std::size_t from, unsigned long long type, unsigned long long data) {
  Span span;
  each_pair(words, from, [&](const std::string& key, const std::string& value) {
    return key == "at" && take_span(span, key, value);
  });
  return {span.from, type, data, false};
}

void parse_gpu_line(GpuSpec& gpu, unsigned index, const Words& words, std::size_t at) {
  const auto& key = words[at];
  const auto text = [&] {
    if (words.size() != at + 2) throw key + " needs one text";
    return with_index(words[at + 1], index);
  };
  if (const auto metric = metric_named(key)) {
    gpu.metrics[static_cast<std::size_t>(*metric)] = parse_value(words, at + 1, index);
  } else if (key == "name") {
    gpu.name = text();
  } else if (key == "uuid") {
    gpu.uuid = text();
  } else if (key == "bus_id") {
    gpu.bus_id = text();
  } else if (key == "process") {
    gpu.processes.push_back(parse_process(words, at + 1, index));
  } else if (key == "instance") {
    gpu.instances.push_back(parse_instance(words, at + 1, index));
  } else if (key == "xid") {
    if (words.size() < at + 2) throw std::string{"xid needs its number"};
    gpu.events.push_back(parse_event(words, at + 2, 0x8, whole(words[at + 1])));
  } else if (key == "ecc_error") {
    gpu.events.push_back(parse_event(words, at + 1, 0x2, 0));
  } else if (key == "lost") {
    Span span;
    each_pair(words, at + 1, [&](const std::string& k, const std::string& v) { return take_span(span, k, v); });
    gpu.lost.push_back(span);
  } else {
    throw "\"" + key + "\" is not known of a GPU";
  }
}

const std::string& way_to_die(const std::string& word) {
  for (const char* const known : {"segfault", "abort", "exit", "_exit", "smash", "overflow", "heap", "debris", "lock"}) {
    if (word == known) return word;
  }
  throw "\"" + word + "\" is no way to die (segfault, abort, exit, _exit, smash, overflow, heap, debris, lock)";
}

// latency | burn | hang | error | die; false when the line is none of these.
bool parse_rule(Scenario& scenario, const Words& words, std::size_t at, std::vector<bool> gpus) {
  constexpr std::array<std::pair<const char*, Rule::Kind>, 5> kKinds{{{"latency", Rule::Kind::kSleep},
                                                                      {"burn", Rule::Kind::kBurn},
                                                                      {"hang", Rule::Kind::kHang},
                                                                      {"error", Rule::Kind::kError},
                                                                      {"die", Rule::Kind::kDie}}};
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return words[at] == k.first; });
  if (kind == kKinds.end()) return false;
  Rule rule;
  rule.kind = kind->second;
  rule.gpus = std::move(gpus);
  const bool has_argument = rule.kind != Rule::Kind::kHang;
  if (words.size() < at + (has_argument ? 3U : 2U))
    throw words[at] + " needs a call" + (has_argument ? " and a value" : "");
  rule.pattern = words[at + 1];
  if (rule.kind == Rule::Kind::kError)
    rule.code = code_named(words[at + 2]);
  else if (rule.kind == Rule::Kind::kDie)
    rule.how = way_to_die(words[at + 2]);
  else if (has_argument)
    rule.seconds = seconds(words[at + 2]);
  each_pair(words, at + (has_argument ? 3 : 2),
            [&](const std::string& key, const std::string& value) { return take_span(rule.span, key, value); });
  scenario.rules.push_back(std::move(rule));
  return true;
}

void parse_line(Scenario& scenario, const Words& words) {
  if (words[0] == "gpus") return;  // read before all others
  if (words[0] == "driver" && words.size() == 2) {
    scenario.driver_version = words[1];
  } else if (words[0] == "without") {
    scenario.without.insert(scenario.without.end(), words.begin() + 1, words.end());
  } else if (words[0] == "quirk" && words.size() == 2 && words[1] == "large_process_info") {
    scenario.large_process_info = true;
    scenario.without.emplace_back("nvmlDeviceGetRunningProcessDetailList");
  } else if (words[0] == "quirk" && words.size() == 2 && words[1] == "mig_lists_refused") {
    scenario.mig_lists_refused = true;
  } else if (words[0] == "gpu" && words.size() >= 3) {
    const auto selected = selection(words[1], scenario.gpus.size());
    if (parse_rule(scenario, words, 2, selected)) return;
    for (unsigned i = 0; i < selected.size(); ++i) {
      if (selected[i]) parse_gpu_line(scenario.gpus[i], i, words, 2);
    }
  } else if (!parse_rule(scenario, words, 0, {})) {
    throw "\"" + words[0] + "\" does not begin a line (gpus, gpu, driver, without, quirk, latency, burn, hang, error, die)";
  }
}

GpuSpec named(unsigned index) {
  GpuSpec gpu;
  gpu.name = "Fake GPU";
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "GPU-fa4e0000-0000-0000-0000-%012u", index);
  gpu.uuid = text.data();
  std::snprintf(text.data(), text.size(), "%08X:%02X:00.0", index / 255, index % 255 + 1);
  gpu.bus_id = text.data();
  return gpu;
}

}  // namespace

Scenario parse_scenario(const std::string& text) {
  std::vector<std::pair<unsigned, Words>> lines;
  std::stringstream stream{text};
  unsigned number = 0;
  unsigned count = 1;
  const auto located = [&](auto&& work) {
    try {
      work();
    } catch (const std::string& what) {
      throw std::to_string(number) + ": " + what;
    }
  };
  for (std::string line; std::getline(stream, line);) {
    ++number;
    located([&] {
      auto words = split(line);
      if (words.empty()) return;
      if (words[0] == "gpus") {
        if (words.size() != 2 || whole(words[1]) > kMostGpus) throw std::string{"gpus needs a number up to 1024"};
        count = whole(words[1]);
      }
      lines.emplace_back(number, std::move(words));
    });
  }
  Scenario scenario;
  for (unsigned i = 0; i < count; ++i) scenario.gpus.push_back(named(i));
  for (const auto& [at, words] : lines) {
    number = at;
    located([&, &words = words] { parse_line(scenario, words); });
  }
  return scenario;
}

}  // namespace fake_nvml
