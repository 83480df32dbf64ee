#pragma once

#include "core/analysis/labels/head_labels.h"

#include <QString>

#include <optional>

namespace headscope::ui {

/// The names of scores in the person's language: for buttons and table heads, for options, and one
/// sentence each.
QString scoreTitle(HeadScore score);
QString scoreInSentence(HeadScore score); ///< "induction on text"
QString scoreKey(HeadScore score);        ///< "induction_stripe", "previous_token": stable
QString scoreMeaning(HeadScore score);
std::optional<HeadScore> scoreNamed(const QString& key);
QString scoreText(HeadScore score, double value); ///< "0.912", "23.0", "–"

QString labelTitle(HeadLabelKind kind);   ///< "first-token sink"
QString labelMeaning(HeadLabelKind kind); ///< what such a head does

/// "0.91 of its weight goes ...; a head that looks evenly gives 0.02."
QString labelSentence(const HeadLabel& label);

/// Why a score has no value, or a label is not measured, as core says it.
QString whyWords(const std::string& reason);

} // namespace headscope::ui
