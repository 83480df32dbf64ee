#pragma once

#include "ui/widgets/worked/worked_diagram.h"

namespace headscope::ui {

/// Result of checking a number that the user worked out by hand.
struct WorkedAnswer
{
    enum class Verdict {
        Right,
        Close,      ///< Right method, but badly rounded.
        Wrong,      ///< Wrong; the sentence names the error or its direction.
        Unreadable, ///< Not a number.
    };

    Verdict verdict = Verdict::Wrong;
    QString sentence;

    bool isRight() const { return verdict == Verdict::Right; }
};

/// Number as typed: 0.37, 0,37, -1e-3, 1/2, √2/2, sqrt(2)/2, -inf. None for anything else.
std::optional<double> readAnswer(const QString& typed);

/// Checks a number for the result of a step. Two decimals are enough, or two digits of a small
/// number.
WorkedAnswer checkAnswer(const WorkedExample& example, std::size_t step, const QString& typed);

/// Question such as "Which number belongs in Output, sat, dim 1?"
QString questionOf(const WorkedExample& example, std::size_t step);

/// Hint for the result of a step that does not reveal it.
QString hintOf(const WorkedStep& step);

} // namespace headscope::ui
