#pragma once

#include "ui/session/session.h"

namespace headscope::ui {

/// Right of the sentence: "live · 14 tokens", "computing", "shows the text before your last
/// change".
QString liveText(const Session& session);

/// Of what can be opened, short: "stories", "step-900.safetensors", "all-MiniLM-L6-v2", "ORG/NAME".
QString sourceName(const QString& source);
QString megabytes(quint64 bytes);                    ///< "138 MB"
QString warningSentence(const LoadWarning& warning); ///< what, and what to do
QString modelName(const LoadedModel& model);         ///< sourceName()
QString modelFacts(const LoadedModel& model);        ///< "4 layers · 8 heads · 1.0 M parameters"
QString documentName(const Session& session);        ///< of its run while that is followed
QString documentFacts(const Session& session);
QString deviceText(const Session& session);   ///< where the shown trace ran, and why
QString forwardText(const Session& session);  ///< "forward 0.6 ms, 1 new token"
QString capturedHint(const Session& session); ///< why the text cannot be edited

} // namespace headscope::ui
