#pragma once

#include <QString>

#include <optional>

namespace headscope::ui {

/// How a sign stands to its neighbours.
enum class SignKind { Ordinary, Operator, Open, Close, Function };

/// A sign of a formula: as LaTeX calls it, as it is drawn, as it is read aloud.
struct FormulaSymbol
{
    const char* command;    ///< without the backslash
    const char* characters; ///< UTF-8
    const char* spoken;
    SignKind kind;
};

const FormulaSymbol* symbolOfCommand(const QString& command);       ///< null: unknown
const FormulaSymbol* symbolOfCharacters(const QString& characters); ///< null: says itself

QString nearestCommand(const QString& command); ///< empty: nothing is near

} // namespace headscope::ui
