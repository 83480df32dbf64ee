#include "ui/session/masked_words.h"

#include "core/text/mask_token.h"
#include "ui/session/second_text.h"
#include "ui/session/session.h"
#include "ui/widgets/text/token_bytes.h"

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr std::size_t kRemembered = 64; ///< Number of texts.

bool isWholeText(const std::string& bytes)
{
    return QString::fromStdString(bytes).toStdString() == bytes;
}

} // namespace

MaskedWords::MaskedWords(Session& session) : QObject(&session), m_session(session) {}

MaskedWords& MaskedWords::of(Session& session)
{
    auto* known = session.findChild<MaskedWords*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new MaskedWords(session);
}

QString MaskedWords::obstacle() const
{
    const LoadedModel& model = m_session.model();
    if (m_session.isCaptured() || !model.model || !model.tokenizer)
        return tr("Open an encoder to predict masked words.");
    if (model.model->config().hasDecoder())
        return tr("A decoder predicts the next token. Open an encoder to predict masked words.");
    if (!model.model->config().languageHead)
        return tr("This encoder has no head that predicts tokens.");
    if (!maskToken(*model.tokenizer))
        return tr("This encoder\u2019s vocabulary has no mask token.");
    return {};
}

QString MaskedWords::obstacle(int index) const
{
    if (QString why = obstacle(); !why.isEmpty())
        return why;
    const ByteRange bytes =
        editableBytes(m_session.document().tokens(), *m_session.model().tokenizer, index);
    if (bytes.begin == bytes.end)
        return tr("Token %1 was added by the model and is not part of the text.").arg(index);
    return isMask(index) && hiddenWord(index).isEmpty()
               ? tr("This mask was typed and hides no word. Write one of the candidates.")
               : QString();
}

bool MaskedWords::isMask(int index) const
{
    const TokenSequence& tokens = m_session.document().tokens();
    return obstacle().isEmpty() && index >= 0 && index < static_cast<int>(tokens.size()) &&
           tokens.tokens[static_cast<std::size_t>(index)].id ==
               maskToken(*m_session.model().tokenizer);
}

QString MaskedWords::wholeText() const
{
    return QString::fromStdString(m_session.document().tokens().text);
}

/// One entry for each mask token of the text.
std::vector<QString> MaskedWords::words() const
{
    const auto known = std::ranges::find(m_remembered, wholeText(), &Remembered::text);
    std::vector<QString> words =
        known == m_remembered.end() ? std::vector<QString>() : known->words;
    words.resize(maskNumber(static_cast<int>(m_session.document().tokens().size())));
    return words;
}

/// Number of mask tokens before `index`.
std::size_t MaskedWords::maskNumber(int index) const
{
    std::size_t count = 0;
    for (int before = 0; before < index; ++before)
        count += isMask(before) ? 1 : 0;
    return count;
}

void MaskedWords::remember(std::vector<QString> words)
{
    std::erase_if(m_remembered,
                  [text = wholeText()](const Remembered& other) { return other.text == text; });
    m_remembered.push_back({wholeText(), std::move(words)});
    if (m_remembered.size() > kRemembered)
        m_remembered.erase(m_remembered.begin());
}

QString MaskedWords::hiddenWord(int index) const
{
    return isMask(index) ? words()[maskNumber(index)] : QString();
}

bool MaskedWords::toggle(int index)
{
    if (!obstacle(index).isEmpty())
        return false;
    const TokenSequence tokens = m_session.document().tokens();
    const Tokenizer& tokenizer = *m_session.model().tokenizer;
    const ByteRange bytes = editableBytes(tokens, tokenizer, index);
    std::vector<QString> known = words();
    const auto place = known.begin() + static_cast<std::ptrdiff_t>(maskNumber(index));
    if (isMask(index)) {
        const QString word = *place;
        known.erase(place);
        replaceBytes(m_session.document(), bytes, word);
    } else {
        const TextEdit edit = maskedEdit(tokens, bytes, tokenizer);
        known.insert(place, QString::fromStdString(
                                tokens.text.substr(bytes.begin, bytes.end - bytes.begin)));
        replaceBytes(m_session.document(), edit.bytes, QString::fromStdString(edit.text));
    }
    remember(std::move(known));
    return true;
}

bool MaskedWords::write(int index, TokenId token)
{
    if (!isMask(index))
        return false;
    const TokenSequence tokens = m_session.document().tokens();
    const Tokenizer& tokenizer = *m_session.model().tokenizer;
    const TextEdit edit =
        filledEdit(tokens, editableBytes(tokens, tokenizer, index), token, tokenizer);
    if (tokenizer.isSpecial(token) || !isWholeText(edit.text))
        return false;
    std::vector<QString> known = words();
    known.erase(known.begin() + static_cast<std::ptrdiff_t>(maskNumber(index)));
    replaceBytes(m_session.document(), edit.bytes, QString::fromStdString(edit.text));
    remember(std::move(known));
    return true;
}

} // namespace headscope::ui
