#pragma once

#include "ui/session/session.h"

namespace headscope::ui {

/// Live indicator's text: "live · 14 tokens", "computing", or "opening the model".
QString liveText(const Session& session);

/// Short name of a source: "stories", "step-900.safetensors", "all-MiniLM-L6-v2", "ORG/NAME".
QString sourceName(const QString& source);
QString megabytes(quint64 bytes); ///< Size as text, such as "138 MB".
/// Sentence that describes the warning and what to do.
QString warningSentence(const LoadWarning& warning);
QString modelName(const LoadedModel& model); ///< Short name of the model, as in sourceName().
/// Facts such as "4 layers · 8 heads · 1.0 M parameters".
QString modelFacts(const LoadedModel& model);
/// Name of the model, or of the training run while it is followed.
QString documentName(const Session& session);
QString documentFacts(const Session& session);
QString deviceText(const Session& session); ///< Device of the shown trace, and why it was used.
/// Time of the forward pass, such as "forward 0.6 ms, 1 new token".
QString forwardText(const Session& session);
QString capturedHint(const Session& session); ///< Reason why the text is read-only.

} // namespace headscope::ui
