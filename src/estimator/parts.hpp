// Models that are trained together: each part is computed separately, then added.
#pragma once

#include "gputop/core/result.hpp"
#include "gputop/estimator/memory_model.hpp"
#include "gputop/estimator/model_table.hpp"
#include "gputop/estimator/request.hpp"

namespace gputop {

// "segformer-b0 resolution=320; layers=3 hidden=64 seq=400 passes=2". The error says what is wrong.
Result<std::vector<TrainedPart>> parts_of(std::string_view text);

// What the parts need together; `rest` is nullptr if only the parts are trained.
Result<MemoryModel> with_parts(const MemoryModel* rest, const EstimateRequest& request, const ModelTable& table);

}  // namespace gputop
