#pragma once

#include "ui/session/session.h"

namespace headscope::ui {

/// Right of the sentence: "live · 14 tokens", "computing", "shows the text before your last
/// change".
QString liveText(const Session& session);

QString modelName(const LoadedModel& model);  ///< "stories", "step-900.safetensors"
QString modelFacts(const LoadedModel& model); ///< "4 layers · 8 heads · 1.0 M parameters"
QString documentName(const Session& session); ///< of its run while that is followed
QString documentFacts(const Session& session);
QString deviceText(const Session& session);  ///< where the shown trace ran, and why
QString forwardText(const Session& session); ///< "forward 0.6 ms, 1 new token"
QString hintText(const QString& page);       ///< what the keys do on a page

} // namespace headscope::ui
