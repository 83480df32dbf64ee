#pragma once

#include "core/text/token_sequence.h"

#include <QObject>
#include <QString>

#include <vector>

namespace headscope::ui {

class Session;

/// Hides tokens of the text from an encoder by its mask token, and knows the words that they hide.
class MaskedWords : public QObject
{
    Q_OBJECT

public:
    explicit MaskedWords(Session& session);

    /// The one of a session, which owns it.
    static MaskedWords& of(Session& session);

    /// Why the model predicts no masked words; empty otherwise.
    QString obstacle() const;

    /// Why token `index` can be neither masked nor unmasked; empty otherwise.
    QString obstacle(int index) const;

    bool isMask(int index) const;

    /// Word that the mask token at `index` hides; empty if it was typed.
    QString hiddenWord(int index) const;

    /// Masks a token, or puts the hidden word back, as one undo step. False: see obstacle(index).
    bool toggle(int index);

    /// Writes a predicted token in place of the mask token at `index`, as one undo step. False if
    /// there is no mask token, or if the prediction is only a part of a character.
    bool write(int index, TokenId token);

private:
    /// Words that the masks of one text hide, in order; empty words for typed masks.
    struct Remembered
    {
        QString text;
        std::vector<QString> words;
    };

    std::vector<QString> words() const;
    std::size_t maskNumber(int index) const;
    void remember(std::vector<QString> words);
    QString wholeText() const;

    Session& m_session;
    std::vector<Remembered> m_remembered; ///< Newest last.
};

} // namespace headscope::ui
