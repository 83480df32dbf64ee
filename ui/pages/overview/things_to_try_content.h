#pragma once

#include "ui/session/things_to_try.h"
#include "ui/session/view_snapshot.h"

namespace headscope::ui {

/// Sentence such as: Head 2.4: “it” attends to “animal” (0.43). Empty without tokens of that kind.
QString referenceText(const PronounReference& reference, const ViewSnapshot& view);

/// Label of the thing's button, and what it does.
QString thingTitle(ThingToTry thing);
QString thingDescription(ThingToTry thing, const HeadId& head);

} // namespace headscope::ui
