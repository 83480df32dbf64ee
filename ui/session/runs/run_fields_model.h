#pragma once

#include "ui/session/runs/run_fields.h"

namespace headscope::ui {

/// Adds the settings of `model`, by group.
void addModelFields(std::vector<RunField>& fields);

} // namespace headscope::ui
