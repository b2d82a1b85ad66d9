#include "knobs/write_change.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "knobs/argument_edit.hpp"

namespace gputop::knobs {
namespace {

FileChange& file_of(std::span<const SourceFile> files, const std::string& path, ChangeSet& set) {
  const auto known =
      std::find_if(set.files.begin(), set.files.end(), [&](const FileChange& file) { return file.path == path; });
  if (known != set.files.end()) return *known;
  const auto source =
      std::find_if(files.begin(), files.end(), [&](const SourceFile& file) { return file.path == path; });
  set.files.push_back({path, *source->text, *source->text});
  return set.files.back();
}

Status write_file(const ValueChange& change, std::span<const SourceFile> files, bool also_shared, ChangeSet& set) {
  FileChange& file = file_of(files, change.place.file, set);
  // Read again each time: the edits before this one have moved the bytes, not the order of the values.
  const auto document = read_document(*format_of(file.path), file.after);
  if (!document) return document.error();
  const bool absent = change.place.how == Place::How::kAbsent;
  const auto beside = change.place.entry < document->entries.size() ? std::optional{change.place.entry} : std::nullopt;
  auto edited = absent ? add_value(file.after, *document, change.place.path, beside, change.to)
                       : change_value(file.after, *document, change.place.entry, change.to, also_shared);
  if (!edited) return Error{edited.error().kind, printable(file.path) + ": " + edited.error().message};
  file.after = *std::move(edited);
  return success();
}

}  // namespace

Status write_change(const RunCommand& run, std::span<const SourceFile> files, bool also_shared, ChangeSet& set) {
  std::vector<ArgumentEdit> arguments;
  // From the end of each file: a flag that is taken away moves those behind it.
  std::vector<const ValueChange*> changes;
  for (const auto& change : set.changes) {
    auto at = changes.end();
    while (at != changes.begin() && (*(at - 1))->place.entry < change.place.entry) --at;
    changes.insert(at, &change);
  }
  for (const auto* change : changes) {
    switch (change->place.kind) {
      case Place::Kind::kArgument: arguments.push_back({change->place, change->to}); break;
      case Place::Kind::kFile:
        if (auto done = write_file(*change, files, also_shared, set); !done) return done;
        break;
      case Place::Kind::kEnvironment: {
        const auto before = run.environment.find(change->place.key);
        const bool is_set = before != run.environment.end();
        auto written = write_like(is_set ? before->second : "", false, change->to, Dialect::kWords);
        if (!written) return written.error();
        set.environment.push_back(
            {change->place.key, is_set ? std::optional{before->second} : std::nullopt, *std::move(written)});
        break;
      }
      case Place::Kind::kLens:
      case Place::Kind::kGpu: break;
    }
  }
  auto argv = edit_arguments(run.argv, std::move(arguments));
  if (!argv) return argv.error();
  set.argv_after = *std::move(argv);
  return success();
}

}  // namespace gputop::knobs
