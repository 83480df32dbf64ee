#pragma once

#include "core/analysis/labels/head_labels.h"

#include <QString>

#include <optional>

namespace headscope::ui {

/// Names of scores in the user's language: for buttons and table headers, for options, and one
/// sentence each.
QString scoreTitle(HeadScore score);
QString scoreInSentence(HeadScore score); ///< Name within a sentence: "induction on text".
QString scoreKey(HeadScore score); ///< Stable key such as "induction_stripe", "previous_token".
QString scoreMeaning(HeadScore score);
std::optional<HeadScore> scoreNamed(const QString& key);
QString scoreText(HeadScore score, double value); ///< Value text such as "0.912", "23.0", "–".

QString labelTitle(HeadLabelKind kind);   ///< Label such as "first-token sink".
QString labelMeaning(HeadLabelKind kind); ///< Meaning of a label, in one sentence.

/// Meaning of a value: "0.91 of its weight goes ...; uniform attention gives 0.02."
QString labelSentence(const HeadLabel& label);

/// Why a score has no value, or a label is not measured, as reported by core.
QString whyText(const std::string& reason);

} // namespace headscope::ui
