#include "ui/widgets/formula/latex_text.h"

#include "core/base/error.h"
#include "ui/widgets/formula/formula_symbols.h"
#include "ui/widgets/tr.h"

#include <QStringView>

#include <algorithm>

namespace headscope::ui::latex {

void LatexText::fail(const QString& problem, qsizetype at)
{
    throw Error(tr("Invalid formula: %1, at character %2").arg(problem).arg(at + 1).toStdString());
}

bool LatexText::isAtCommand(const QString& name) const
{
    const QStringView rest = QStringView(m_text).mid(m_at);
    return rest.startsWith(QLatin1Char('\\') + name) &&
           (rest.size() == name.size() + 1 || !rest[name.size() + 1].isLetter());
}

bool LatexText::isAtPlainWord() const
{
    if (!isAt(QLatin1Char('{')))
        return false;
    qsizetype end = m_at + 1;
    while (end < m_text.size() && (m_text[end].isLetterOrNumber() || m_text[end].isSpace()))
        ++end;
    return end > m_at + 1 && end < m_text.size() && m_text[end] == QLatin1Char('}');
}

void LatexText::skipSpaces()
{
    while (!isAtEnd() && next().isSpace())
        ++m_at;
}

QString LatexText::takeSign()
{
    const qsizetype begin = m_at++;
    if (m_text[begin].isHighSurrogate() && !isAtEnd())
        ++m_at;
    return m_text.mid(begin, m_at - begin);
}

QString LatexText::takeNumber()
{
    const qsizetype begin = m_at;
    while (!isAtEnd() && (next().isDigit() || next() == QLatin1Char('.')))
        ++m_at;
    return m_text.mid(begin, m_at - begin);
}

QString LatexText::takeCommand()
{
    const qsizetype begin = m_at++;
    qsizetype end = m_at;
    while (end < m_text.size() && m_text[end].isLetter())
        ++end;
    end = std::max(end, std::min(m_at + 1, m_text.size()));
    const QString name = m_text.mid(m_at, end - m_at);
    m_at = end;
    if (name.isEmpty())
        fail(tr("nothing after \u201C\\\u201D"), begin);
    return name;
}

QString LatexText::takeDelimiter()
{
    skipSpaces();
    if (m_at >= m_text.size())
        fail(tr("missing bracket"), m_at);
    const qsizetype begin = m_at;
    if (isAt(QLatin1Char('\\'))) {
        for (++m_at; m_at < m_text.size() && m_text[m_at].isLetter();)
            ++m_at;
        if (m_at == begin + 1 && m_at < m_text.size())
            ++m_at;
        const FormulaSymbol* symbol = symbolOfCommand(m_text.mid(begin + 1, m_at - begin - 1));
        if (symbol && (symbol->kind == SignKind::Open || symbol->kind == SignKind::Close))
            return QString::fromUtf8(symbol->characters);
    } else if (QStringLiteral("()[]|.").contains(m_text[m_at]))
        return m_text[m_at++];
    fail(tr("missing bracket"), begin);
}

QString LatexText::takeVerbatim()
{
    skipSpaces();
    const qsizetype begin = m_at;
    if (!isAt(QLatin1Char('{')))
        fail(tr("missing text in braces"), begin);
    QString words;
    for (++m_at; !isAt(QLatin1Char('}')); ++m_at) {
        if (isAt(QLatin1Char('\\')) && m_at + 1 < m_text.size())
            ++m_at;
        else if (isAt(QLatin1Char('{')))
            fail(tr("braces inside text are not supported"), m_at);
        if (m_at >= m_text.size())
            fail(tr("unclosed \u201C{\u201D"), begin);
        words += m_text[m_at];
    }
    ++m_at;
    return words;
}

} // namespace headscope::ui::latex
