#pragma once

#include "core/lessons/lesson_text.h"
#include "ui/widgets/formula/math_node.h"
#include "ui/widgets/style/theme.h"

#include <QTextDocument>
#include <QTextObjectInterface>

#include <vector>

namespace headscope::ui {

/// Text of a lesson as paragraphs with formulas.
class LessonDocument : public QTextDocument, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    explicit LessonDocument(QObject* parent = nullptr);

    /// Builds the document; formulas wider than `width`, that of the column, are scaled down.
    void build(const std::vector<TextBlock>& blocks, const Theme& theme, TextRole role,
               double width);

    QString plainText(int from, int to) const;  ///< Plain text with formulas as LaTeX.
    static QString latexOf(const QTextFormat&); ///< LaTeX of a formula; empty: no formula.

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    void addBlock(QTextCursor& cursor, const TextBlock& block);
    void addSpan(QTextCursor& cursor, const TextSpan& span);
    void addFormula(QTextCursor& cursor, const QString& latex, bool isDisplayed);

    struct Placed
    {
        Math formula;
        double pixels = 15.0;
    };

    Theme m_theme;
    TextRole m_role = TextRole::Lesson;
    double m_width = 0.0;
    std::vector<Placed> m_formulas;
};

/// Spoken text for screen readers.
QString spokenText(const std::vector<TextBlock>& blocks);

/// Parsed text of a lesson; invalid input becomes one plain paragraph.
std::vector<TextBlock> lessonBlocks(const QString& markdown);

} // namespace headscope::ui
