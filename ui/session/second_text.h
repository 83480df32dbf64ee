#pragma once

#include "core/text/token_sequence.h"

#include <QString>

namespace headscope::ui {

class OpenModels;
class SessionDocument;

/// What a model does with a second text.
enum class SecondTextRole { None, Pair, Target };

SecondTextRole secondTextRole(const OpenModels& models);

/// True for an encoder that reads two texts as a pair: the second is SessionDocument::target().
bool readsPairs(const OpenModels& models);

/// True for a model with a second text: that of a pair, or an encoder-decoder's target.
bool readsSecondText(const OpenModels& models);

/// Replaces bytes of SessionDocument::tokens() in the text, or in the second text of a pair, as an
/// undo step of its own.
void replaceBytes(SessionDocument& document, ByteRange bytes, const QString& with);

} // namespace headscope::ui
