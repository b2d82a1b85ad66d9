#include "engine/pane_fit.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPause = 100ms;  // resizing a window does not signal the job more often than this

bool same(const std::optional<PaneFit::Size>& a, const PaneFit::Size& b) {
  return a && a->columns == b.columns && a->rows == b.rows;
}

}  // namespace

PaneFit::PaneFit(Loop& loop, run::RunChannel& channel, RunOutput& output)
    : loop_(loop), channel_(channel), output_(output), timer_(loop.make_timer()), fitted_at_(-kPause) {}

PaneFit::Pane::~Pane() {
  if (fit_.leader_ == this) fit_.leader_ = nullptr;  // the next one drawn leads
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
  if (same(wanted_, size)) return;
  wanted_ = size;
  timer_->at(std::max(loop_.now(), fitted_at_ + kPause), [this] {
    fitted_at_ = loop_.now();
    output_.resize(wanted_->columns, wanted_->rows);
    const auto* terminal = output_.terminal();  // it has its own limits
    if (terminal) channel_.resize(static_cast<unsigned>(terminal->rows()), static_cast<unsigned>(terminal->columns()));
  });
}

}  // namespace gputop
