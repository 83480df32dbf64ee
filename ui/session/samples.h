#pragma once

#include <QString>

namespace headscope::ui {

/// The sentence to begin with: one that shows what this shipped model learned, else the general
/// one.
QString sampleSentence(const QString& model);

/// True for a sentence that nobody typed.
bool isSampleSentence(const QString& text);

} // namespace headscope::ui
