#pragma once

#include "ui/pages/shared/sharing/shared_patterns.h"

#include <QByteArray>

namespace headscope::ui {

/// Input of a shared page's script, as JSON in ASCII: texts, colours of both themes, tokens,
/// patterns, scores of the heads where all of them are stored, and the place to begin at.
QByteArray sharedData(const ViewSnapshot& view, const SharedPatterns& patterns);

} // namespace headscope::ui
