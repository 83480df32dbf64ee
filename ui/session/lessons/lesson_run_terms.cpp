// Links terms in a lesson to the lessons that explain them.
#include "core/lessons/lesson_library.h"
#include "ui/session/lessons/lesson_run.h"

#include <QRegularExpression>
#include <QSet>
#include <QStringList>

#include <algorithm>

namespace headscope::ui {

namespace {

/// Terms explained by other lessons, longest first: "causal mask" before "mask".
std::vector<std::pair<QString, QString>> termsOf(const LessonLibrary& library,
                                                 const std::string& exceptLesson)
{
    std::vector<std::pair<QString, QString>> terms;
    for (const Lesson& lesson : library.lessons()) {
        for (const std::string& term : lesson.terms) {
            if (lesson.id != exceptLesson && !term.empty())
                terms.emplace_back(QString::fromStdString(term).toLower(),
                                   QString::fromStdString(lesson.id));
        }
    }
    std::ranges::stable_sort(
        terms, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    return terms;
}

QRegularExpression anyOf(const std::vector<std::pair<QString, QString>>& terms)
{
    QStringList words;
    for (const auto& term : terms)
        words << QRegularExpression::escape(term.first);
    return QRegularExpression("(?<![\\w-])(?:" + words.join('|') + ")(?![\\w-])",
                              QRegularExpression::CaseInsensitiveOption |
                                  QRegularExpression::UseUnicodePropertiesOption);
}

class Linker
{
public:
    Linker(const LessonLibrary& library, const std::string& exceptLesson)
        : m_terms(termsOf(library, exceptLesson))
        , m_any(anyOf(m_terms))
    {
    }

    bool hasTerms() const { return !m_terms.empty(); }

    void link(const TextSpan& span, std::vector<TextSpan>& into)
    {
        if (span.kind == TextSpan::Kind::Link)
            m_linked.insert(QString::fromStdString(span.target));
        if (span.kind != TextSpan::Kind::Plain) {
            into.push_back(span);
            return;
        }
        const QString text = QString::fromStdString(span.text);
        qsizetype from = 0;
        const auto plain = [&](qsizetype to) {
            if (to > from)
                into.push_back(
                    {TextSpan::Kind::Plain, text.mid(from, to - from).toStdString(), {}});
        };
        for (auto found = m_any.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const QString target = targetOf(match.captured());
            if (m_linked.contains(target))
                continue;
            m_linked.insert(target);
            plain(match.capturedStart());
            into.push_back(
                {TextSpan::Kind::Link, match.captured().toStdString(), target.toStdString()});
            from = match.capturedEnd();
        }
        plain(text.size());
    }

private:
    QString targetOf(const QString& word) const
    {
        const auto term =
            std::ranges::find(m_terms, word.toLower(), &std::pair<QString, QString>::first);
        return term == m_terms.end() ? QString() : "lesson:" + term->second;
    }

    std::vector<std::pair<QString, QString>> m_terms; ///< Pairs of term and lesson.
    QRegularExpression m_any;
    QSet<QString> m_linked; ///< Targets already linked.
};

} // namespace

std::vector<TextBlock> withTermLinks(std::vector<TextBlock> blocks, const LessonLibrary& library,
                                     const std::string& exceptLesson)
{
    Linker linker(library, exceptLesson);
    if (!linker.hasTerms())
        return blocks;
    for (TextBlock& block : blocks) {
        std::vector<TextSpan> spans;
        for (const TextSpan& span : block.spans)
            linker.link(span, spans);
        block.spans = std::move(spans);
    }
    return blocks;
}

} // namespace headscope::ui
