// The process columns of a recording.
#include "gputop/core/secrets.hpp"
#include "store/layouts.hpp"

namespace gputop::store {
namespace {

// A command line with secrets masked.
struct Command : Text {
  static void write(std::string& out, const std::string& value) { write_string(out, mask_secrets(value)); }
};

template <class Codec, auto... kPath>
constexpr Column<ProcessReading> process(std::string_view name, Duration hold = kAlways, bool identity = false) {
  return make_column<Codec, ProcessReading, kPath...>(name, hold, identity);
}

using P = ProcessReading;

constexpr Column<ProcessReading> kProcessColumns[] = {
    process<Whole, &P::pid>("pid", kAlways, kIdentity),
    process<CivilTime, &P::started>("started", kAlways, kIdentity),
    process<Whole, &P::parent>("parent"),
    process<Whole, &P::root>("root"),
    process<Whole, &P::uid>("uid"),
    process<Text, &P::user>("user"),
    process<Command, &P::command>("command"),
    process<Letter, &P::state>("state", kEveryFifthTick),
    process<Whole, &P::threads>("threads", kEveryFifthTick),
    process<Decimals<0>, &P::cpu>("cpu", kEveryFifthTick),
    process<Seconds, &P::cpu_time>("cpu_time", kEveryTenthTick),
    process<Significant<4>, &P::resident>("resident", kEveryFifthTick),
    process<Significant<3>, &P::read>("read", kEveryFifthTick),
    process<Significant<3>, &P::write>("write", kEveryFifthTick),
    process<Significant<3>, &P::asked>("asked", kEveryFifthTick),
    process<Significant<2>, &P::involuntary_switches>("involuntary_switches", kEveryTenthTick),
};

}  // namespace

const TableLayout<ProcessReading> kProcessLayout{kProcessColumns, kMostRows};

}  // namespace gputop::store
