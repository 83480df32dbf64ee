#pragma once

#include "core/lessons/worked/worked_example.h"

#include <QString>

namespace headscope::ui {

/// Rich text of a matrix: labels and numbers after `stepsDone` steps, "?" for those that are not
/// computed yet. At most 8 rows and 6 columns, with "…" for the others.
QString listingValues(const WorkedMatrix& matrix, std::size_t stepsDone);

} // namespace headscope::ui
