#pragma once

#include <QString>

#include <optional>

namespace headscope::ui {

/// Spacing class of a sign.
enum class SignKind { Ordinary, Operator, Open, Close, Function };

/// A sign of a formula: its LaTeX command, its characters and its spoken text.
struct FormulaSymbol
{
    const char* command;    ///< Name without the backslash.
    const char* characters; ///< Characters in UTF-8.
    const char* spoken;
    SignKind kind;
};

/// Symbol of a command; null: unknown.
const FormulaSymbol* symbolOfCommand(const QString& command);
/// Symbol of characters; null: spoken as they are.
const FormulaSymbol* symbolOfCharacters(const QString& characters);

QString nearestCommand(const QString& command); ///< Closest command; empty: none is close.

} // namespace headscope::ui
