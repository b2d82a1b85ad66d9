#include "cli/pane_fit.hpp"

namespace gputop::cli {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 100ms;  // a window that is being dragged does not wake the job more often

bool same(const std::optional<PaneFit::Size>& a, const PaneFit::Size& b) {
  return a && a->columns == b.columns && a->rows == b.rows;
}

}  // namespace

PaneFit::PaneFit(Loop& loop, run::RunChannel& channel, std::optional<term::Emulator>& emulator)
    : loop_(loop), channel_(channel), emulator_(emulator), timer_(loop.make_timer()), fitted_at_(-kPause) {}

PaneFit::Pane::~Pane() {
  if (fit_.leader_ == this) fit_.leader_ = nullptr;  // whoever is drawn next leads
}

void PaneFit::Pane::drawn(const std::optional<Size>& size) {
  if (!size) return;
  if (fit_.leader_ == nullptr || !same(size_, *size)) fit_.leader_ = this;
  size_ = size;
  if (fit_.leader_ == this) fit_.fit(*size);
}

void PaneFit::Pane::typed() {
  if (!size_) return;
  fit_.leader_ = this;
  fit_.fit(*size_);
}

void PaneFit::fit(const Size& size) {
  if (!emulator_ || (size.columns == emulator_->columns() && size.rows == emulator_->rows())) return;
  wanted_ = size;
  timer_->at(std::max(loop_.now(), fitted_at_ + kPause), [this] {
    fitted_at_ = loop_.now();
    emulator_->resize(wanted_.columns, wanted_.rows);
    channel_.resize(static_cast<unsigned>(emulator_->rows()), static_cast<unsigned>(emulator_->columns()));
  });
}

}  // namespace gputop::cli
