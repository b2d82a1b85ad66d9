// Where recordings go by default.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/result.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// $XDG_STATE_HOME/gputop/runs, or ~/.local/state/gputop/runs. Pure: the caller reads the two variables ("" = not set).
Result<std::string> recordings_folder(std::string_view xdg_state_home, std::string_view home);

// "train.py-20261116T035108Z.gputop". Characters that are special in a shell or a path become "_".
std::string recording_file_name(std::string_view run_name, WallTime wall);

// Creates an empty file of that name in that folder for one recording; appends "-2", "-3" … if the name is taken, even
// concurrently. Both the file and the folder are private to the user.
Result<std::string> reserve_recording(const std::string& folder, std::string_view run_name, WallTime wall);

}  // namespace gputop
