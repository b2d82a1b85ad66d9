#include "engine/cards_feed.hpp"

#include "gputop/calibrate/calibrate.hpp"
#include "gputop/config/estimator_tables.hpp"

namespace gputop {

void CardsFeed::heard(const Model& model) {
  constexpr Duration kNoGpu = std::chrono::seconds{5};  // after this time we assume there is none
  if (told_ || !model.run || (model.gpus.empty() && model.run->age(model.now) < kNoGpu)) return;
  told_ = true;
  CardsKnown known{.assumed_peak = options_.peak,
                   .price_per_kwh = options_.price_per_kwh,
                   .price_per_hour = options_.price_per_hour};
  const auto environment = process_environment();
  const auto folder = calibrate::store_folder(environment);
  const auto tables = load_estimator_tables(environment);
  for (const auto& track : model.gpus) {
    const auto& gpu = track.now;
    auto card = known_card(tables.gpus, gpu.index, gpu.name);
    const auto& driver = model.gpu_source.driver_version;
    if (auto measured = calibrate::stored(folder, gpu.uuid, driver)) card.measured = *std::move(measured);
    if (!card.kind.empty() || !card.measured.uuid.empty()) known.cards.push_back(std::move(card));
  }
  if (known == CardsKnown{} || known == model.cards) return;
  loop_.post([this, known = std::move(known)] { engine_.publish({loop_.now(), known}); });
}

}  // namespace gputop
