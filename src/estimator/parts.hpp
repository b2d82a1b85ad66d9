// Models that are trained together as one: each part counted by itself, then added.
#pragma once

#include "gputop/core/result.hpp"
#include "gputop/estimator/memory_model.hpp"
#include "gputop/estimator/model_table.hpp"
#include "gputop/estimator/request.hpp"

namespace gputop {

// "segformer-b0 resolution=320; layers=3 hidden=64 seq=400 passes=2": what is wrong with it is the error.
Result<std::vector<TrainedPart>> parts_of(std::string_view text);

// What the parts need together; nullptr for `rest` where nothing but the parts is trained.
Result<MemoryModel> with_parts(const MemoryModel* rest, const EstimateRequest& request, const ModelTable& table);

}  // namespace gputop
