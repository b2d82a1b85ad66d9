#include "store/cards_line.hpp"

#include <cmath>

namespace gputop::store {
namespace {

using Json = nlohmann::ordered_json;

void put_card_number(Json& json, const char* key, const Reading<double>& value) {
  if (value) json[key] = *value;
}

Reading<double> card_number(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return std::isfinite(value) && value >= 0 ? Reading<double>{value} : std::nullopt;
}

std::string card_text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

Json to_json(const Calibration& calibration) {
  Json json = Json::object();
  if (!calibration.uuid.empty()) json["uuid"] = calibration.uuid;
  if (!calibration.driver.empty()) json["driver"] = calibration.driver;
  each_measure(calibration, [&](const char* key, const char*, const char*, const Reading<double>& value) { put_card_number(json, key, value); });
  return json;
}

Calibration calibration_from(const Json& in, const char* key) {
  Calibration calibration;
  const auto found = in.find(key);
  if (found == in.end() || !found->is_object()) return calibration;
  calibration.uuid = card_text(*found, "uuid");
  calibration.driver = card_text(*found, "driver");
  each_measure(calibration, [&](const char* name, const char*, const char*, Reading<double>& value) { value = card_number(*found, name); });
  return calibration;
}

}  // namespace

Json to_json(const CardsKnown& event) {
  Json cards = Json::array();
  for (const auto& card : event.cards) {
    cards.push_back({{"gpu", card.gpu},
                     {"kind", card.kind},
                     {"nominal", to_json(card.nominal)},
                     {"measured", to_json(card.measured)}});
  }
  Json json{{"cards", cards}};
  put_card_number(json, "assumed_peak", event.assumed_peak);
  put_card_number(json, "price_per_kwh", event.price_per_kwh);
  put_card_number(json, "price_per_hour", event.price_per_hour);
  return json;
}

CardsKnown cards_from(const Json& in) {
  CardsKnown event;
  if (const auto list = in.find("cards"); list != in.end() && list->is_array()) {
    for (const auto& item : *list) {
      if (!item.is_object()) continue;
      CardsKnown::Card card{.kind = card_text(item, "kind")};
      if (const auto gpu = item.find("gpu"); gpu != item.end() && gpu->is_number_unsigned()) card.gpu = gpu->get<unsigned>();
      card.nominal = calibration_from(item, "nominal");
      card.measured = calibration_from(item, "measured");
      event.cards.push_back(std::move(card));
    }
  }
  event.assumed_peak = card_number(in, "assumed_peak");
  event.price_per_kwh = card_number(in, "price_per_kwh");
  event.price_per_hour = card_number(in, "price_per_hour");
  return event;
}

}  // namespace gputop::store
