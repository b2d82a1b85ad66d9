#include "store/samples.hpp"

namespace gputop::store {
namespace {

// Turns the trailing comma into the closing brace.
void close_object(std::string& out) {
  if (out.ends_with(',')) out.pop_back();
  out += '}';
}

template <class Row>
void append_first(const std::vector<Row>& rows, std::size_t most, std::vector<const Row*>& to) {
  for (const auto& row : std::span{rows}.first(std::min(rows.size(), most))) to.push_back(&row);
}

template <class Row>
std::vector<const Row*> pointers(const std::vector<Row>& rows) {
  std::vector<const Row*> result;
  result.reserve(rows.size());
  append_first(rows, rows.size(), result);
  return result;
}

// `"name":{…},`, or nothing if nothing changed.
template <class Row>
void encode_inner(std::string_view name,
                  TableEncoder<Row>& table,
                  Instant at,
                  const std::vector<const Row*>& rows,
                  std::string& out) {
  const std::size_t start = out.size();
  out += '"';
  out += name;
  out += "\":{";
  const std::size_t empty = out.size();
  table.encode(at, rows, out);
  if (out.size() == empty) {
    out.resize(start);
    return;
  }
  close_object(out);
  out += ',';
}

// Reads `{…}`; on_key gets each key and reads its value.
template <class OnKey>
bool decode_object(Scanner& in, const OnKey& on_key) {
  if (!in.take('{')) return false;
  for (bool first = true; !in.take('}'); first = false) {
    std::string_view key;
    if ((!first && !in.take(',')) || !in.read_key(key) || !on_key(key)) return false;
  }
  return true;
}

template <class Row>
bool decode_table(TableDecoder<Row>& table, Scanner& in, std::vector<Row>& rows) {
  return decode_object(in, [&](std::string_view key) { return table.decode(key, in, rows); });
}

// Copies the next rows.size() elements of flat.
template <class Row>
bool take_rows(const std::vector<Row>& flat, std::size_t& used, std::vector<Row>& rows) {
  if (flat.size() - used < rows.size()) return false;
  for (auto& row : rows) row = flat[used++];
  return true;
}

}  // namespace

void SamplesEncoder::start_over() {
  gpus_.start_over();
  gpu_processes_.start_over();
  mig_.start_over();
  host_.start_over();
  disks_.start_over();
  networks_.start_over();
  processes_.start_over();
}

void SamplesEncoder::encode(Instant at, const GpusSampled& sample, std::string& out) {
  std::vector<const GpuProcess*> processes;
  std::vector<const MigInstance*> mig;
  for (const auto& gpu : sample.gpus) {
    append_first(gpu.mig, kMostMigPerGpu, mig);
    if (gpu.processes) append_first(*gpu.processes, kMostProcessesPerGpu, processes);
  }
  out += '{';
  gpus_.encode(at, pointers(sample.gpus), out);
  encode_inner("processes", gpu_processes_, at, processes, out);
  encode_inner("mig", mig_, at, mig, out);
  close_object(out);
}

void SamplesEncoder::encode(Instant at, const HostSampled& sample, std::string& out) {
  out += '{';
  host_.encode(at, {&sample.host}, out);
  encode_inner("disks", disks_, at, pointers(sample.host.disks), out);
  encode_inner("networks", networks_, at, pointers(sample.host.networks), out);
  close_object(out);
}

void SamplesEncoder::encode(Instant at, const ProcessesSampled& sample, std::string& out) {
  out += '{';
  processes_.encode(at, pointers(sample.processes), out);
  close_object(out);
}

void SamplesDecoder::start_over(bool skim) {
  skim_ = skim;
  gpus_.start_over(skim);
  gpu_processes_.start_over();
  mig_.start_over();
  host_.start_over();
  disks_.start_over();
  networks_.start_over();
  processes_.start_over();
}

bool SamplesDecoder::decode(Scanner& in, GpusSampled& sample) {
  const bool read = decode_object(in, [&](std::string_view key) {
    if (skim_ && (key == "processes" || key == "mig")) return in.skip();
    if (key == "processes") return decode_table(gpu_processes_, in, flat_processes_);
    if (key == "mig") return decode_table(mig_, in, flat_mig_);
    return gpus_.decode(key, in, sample.gpus);
  });
  return read && gpus_.started() && hand_out(sample.gpus);
}

bool SamplesDecoder::hand_out(std::vector<GpuReading>& gpus) {
  std::size_t processes = 0;
  std::size_t mig = 0;
  for (auto& gpu : gpus) {
    if (!take_rows(flat_mig_, mig, gpu.mig)) return false;
    if (gpu.processes && !take_rows(flat_processes_, processes, *gpu.processes)) return false;
  }
  return true;
}

bool SamplesDecoder::decode(Scanner& in, HostSampled& sample) {
  if (host_row_.empty()) host_row_.emplace_back();
  std::swap(host_row_.front(), sample.host);
  const bool read = decode_object(in, [&](std::string_view key) {
    if (key == "disks") return decode_table(disks_, in, host_row_.front().disks);
    if (key == "networks") return decode_table(networks_, in, host_row_.front().networks);
    return host_.decode(key, in, host_row_);
  });
  std::swap(host_row_.front(), sample.host);
  return read && host_.started();
}

bool SamplesDecoder::decode(Scanner& in, ProcessesSampled& sample) {
  return decode_table(processes_, in, sample.processes) && processes_.started();
}

}  // namespace gputop::store
