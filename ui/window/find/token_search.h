#pragma once

#include "core/text/token_sequence.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// First token of every occurrence of `wanted` in the text, ascending; none for an empty string.
/// Case is ignored, character by character; a match may span several tokens.
std::vector<int> findInTokens(const TokenSequence& tokens, const QString& wanted);

/// First element of `matches` after `token`, or before it if `backwards`; past the end the search
/// begins again. -1 without a match.
int nextMatch(const std::vector<int>& matches, int token, bool backwards);

} // namespace headscope::ui
