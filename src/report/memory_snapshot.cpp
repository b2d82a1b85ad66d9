#include <cmath>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "gputop/report/memory_snapshot.hpp"
#include "report/document.hpp"
#include "report/json_values.hpp"
#include "report/memory_plot.hpp"

namespace gputop {
namespace {

std::string share_text(Bytes part, Bytes whole) {
  return whole > Bytes{} ? format_number(100 * (part / whole), 1) + " %" : "–";
}

std::string site_text(const SnapshotSite& site) {
  return site.site.empty() ? "no known line (not recorded, or before the record began)" : printable(site.site);
}

// How far the simulated allocator is from torch's own: "+0.3 %".
std::string difference(Bytes simulated, Bytes measured) {
  if (measured == Bytes{}) return "–";
  const double percent = 100 * (simulated / measured - 1);
  return (percent < 0 ? "" : "+") + format_number(percent, 1) + " %";
}

TimePlot plot_of(const SnapshotStory& story) {
  return memory_plot(story.seconds ? "memory over time" : "memory, event by event",
                     story.seconds.value_or(static_cast<double>(story.timeline.size())), story.peak_reserved, story.timeline);
}

std::string when(const SnapshotStory& story, std::size_t events) {
  if (story.peak_event == 0) return "before the first event of the record";
  std::string text = "at event " + std::to_string(story.peak_event) + " of " + std::to_string(events);
  if (story.peak_seconds) text += ", " + format_number(*story.peak_seconds, 2) + " s after the first";
  return text;
}

std::string about(const MemorySnapshot& snapshot, const SnapshotStory& story) {
  std::string text = "GPU " + std::to_string(snapshot.device) + ", " + std::to_string(snapshot.events.size()) + " events";
  if (story.seconds) text += " in " + format_number(*story.seconds, 2) + " s";
  if (snapshot.devices > 1) text += "; the snapshot has " + std::to_string(snapshot.devices) + " GPUs, this is the busiest";
  return text + ".";
}

Section peak_section(const MemorySnapshot& snapshot, const SnapshotStory& story) {
  Section section{.title = "Peak"};
  section.elements.emplace_back(Paragraph{.text = about(snapshot, story)});
  section.elements.emplace_back(Paragraph{.text = format_bytes(story.peak_allocated) + " allocated " + when(story, snapshot.events.size()) +
                                                  "; at most " + format_bytes(story.peak_reserved) + " reserved.",
                                          .strong = true});
  for (const auto& asked : story.out_of_memory)
    section.elements.emplace_back(Paragraph{.text = "A request of " + format_bytes(asked) + " failed: out of memory.", .tone = Tone::kError});
  Table table{.header = {"line", "held at the peak", "share", "blocks"}};
  for (const auto& site : story.sites)
    table.rows.push_back({site_text(site), format_bytes(site.bytes), share_text(site.bytes, story.peak_allocated), std::to_string(site.blocks)});
  if (!table.rows.empty()) section.elements.emplace_back(std::move(table));
  if (!snapshot.events.empty()) section.elements.emplace_back(plot_of(story));
  return section;
}

Section end_section(const MemorySnapshot& snapshot, const SnapshotStory& story) {
  Section section{.title = "When the snapshot was taken"};
  const auto unused = story.end.reserved > story.end.allocated ? story.end.reserved - story.end.allocated : Bytes{};
  Items items;
  items.items.push_back(format_bytes(story.end.allocated) + " allocated of " + format_bytes(story.end.reserved) + " reserved in " +
                        std::to_string(story.segments) + " segments; " + format_bytes(unused) + " unused.");
  items.items.push_back("Fragmentation: " + format_bytes(story.unused_in_used_segments) + " (" +
                        share_text(story.unused_in_used_segments, story.end.reserved) +
                        " of what is reserved) lie unused in segments that are partly in use, and cannot go back to the driver. The largest unused block has " +
                        format_bytes(story.largest_unused) + ".");
  if (story.before > Bytes{})
    items.items.push_back(format_bytes(story.before) + " were allocated before the record began; their lines are known only where they lived to the end.");
  if (!snapshot.settings.empty()) items.items.push_back("PYTORCH_CUDA_ALLOC_CONF=" + printable(snapshot.settings));
  section.elements.emplace_back(std::move(items));
  return section;
}

Section replay_section(const MemorySnapshot& snapshot, const SnapshotStory& story) {
  Section section{.title = "The same requests in gputop's simulated allocator"};
  if (!story.simulated_reserved) {
    section.elements.emplace_back(Paragraph{.text = snapshot.events.empty() ? "No events to replay: call torch.cuda.memory._record_memory_history() first."
                                                                             : "They could not be replayed."});
    return section;
  }
  std::string text = format_bytes(*story.simulated_reserved) + " reserved at most; torch: " + format_bytes(story.peak_reserved) + " (" +
                     difference(*story.simulated_reserved, story.peak_reserved) + ").";
  if (snapshot.streams > 1)
    text += " The record names " + std::to_string(snapshot.streams) + " streams, between which torch shares no blocks; the simulation has one.";
  if (story.before > Bytes{}) text += " What was there before the record is taken as one run of requests.";
  section.elements.emplace_back(Paragraph{.text = text});
  return section;
}

Document document(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story) {
  Document document{.title = "Memory snapshot " + printable(name)};
  document.sections.push_back(peak_section(snapshot, story));
  document.sections.push_back(end_section(snapshot, story));
  document.sections.push_back(replay_section(snapshot, story));
  return document;
}

}  // namespace

std::string memory_snapshot_markdown(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story) {
  return to_markdown(document(name, snapshot, story));
}

std::string memory_snapshot_html(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story) {
  return to_html(document(name, snapshot, story));
}

std::string memory_snapshot_json(const std::string& name, const MemorySnapshot& snapshot, const SnapshotStory& story) {
  using Json = nlohmann::ordered_json;
  const auto seconds = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json lines = Json::array();
  for (const auto& site : story.sites)
    lines.push_back({{"line", site.site.empty() ? Json(nullptr) : Json(printable(site.site))}, {"bytes", site.bytes.value()}, {"blocks", site.blocks}});
  Json failed = Json::array();
  for (const auto& asked : story.out_of_memory) failed.push_back(asked.value());
  Json timeline = Json::array();
  for (const auto& moment : story.timeline) timeline.push_back({moment.allocated.value(), moment.reserved.value()});
  return report::dumped({{"schema", "gputop.memory_snapshot/1"},
                         {"file", printable(name)},
                         {"gpu", snapshot.device},
                         {"gpus", snapshot.devices},
                         {"events", snapshot.events.size()},
                         {"seconds", seconds(story.seconds)},
                         {"before_bytes", story.before.value()},
                         {"peak_allocated_bytes", story.peak_allocated.value()},
                         {"peak_reserved_bytes", story.peak_reserved.value()},
                         {"peak_event", story.peak_event},
                         {"peak_seconds", seconds(story.peak_seconds)},
                         {"lines", lines},
                         {"out_of_memory_bytes", failed},
                         {"end", {{"allocated_bytes", story.end.allocated.value()},
                                  {"reserved_bytes", story.end.reserved.value()},
                                  {"segments", story.segments},
                                  {"unused_in_used_segments_bytes", story.unused_in_used_segments.value()},
                                  {"largest_unused_bytes", story.largest_unused.value()}}},
                         {"simulated_reserved_bytes", story.simulated_reserved ? Json(story.simulated_reserved->value()) : Json(nullptr)},
                         {"timeline", timeline}});
}

}  // namespace gputop
