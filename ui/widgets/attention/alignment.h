#pragma once

#include "ui/widgets/heatmap/heatmap.h"
#include "ui/widgets/readable.h"

#include <QPainterPath>
#include <QWidget>

#include <optional>

namespace headscope::ui {

/// Two texts, one above the other, and how strongly each token below looks at those above.
struct AlignmentContent
{
    QStringList above;
    QStringList below;
    HeatmapMatrix matrix;    ///< [below, above]; weights, or differences
    double threshold = 0.15; ///< ribbons of less are not drawn
    bool isSigned = false;
    bool stale = false;
    std::optional<int> current; ///< token below whose ribbons stand out

    bool isEmpty() const { return matrix.isEmpty(); }
};

struct AlignmentRibbon
{
    int below = 0;
    int above = 0;
    float weight = 0.0F;
};

std::vector<AlignmentRibbon> ribbonsOf(const AlignmentContent& content);

/// "31 of 154 links drawn, 78 % of the weight".
QString ribbonCountWords(const AlignmentContent& content);

/// Both texts over the whole width, each token in a column of its own.
class AlignmentLayout
{
public:
    AlignmentLayout(QRectF area, const AlignmentContent& content, const Theme& theme);

    QRectF column(int token, bool isAbove) const; ///< of its label
    std::optional<int> belowAt(QPointF point) const;
    QPainterPath ribbon(const AlignmentRibbon& ribbon) const;

    static double height(const Theme& theme);

private:
    double pitch(bool isAbove) const;
    double left(bool isAbove) const;

    QRectF m_area;
    double m_text = 0.0; ///< height of a line of tokens
    double m_pitch = 0.0;
    int m_above = 0;
    int m_below = 0;
};

void paintAlignment(QPainter& painter, const AlignmentLayout& layout,
                    const AlignmentContent& content, const Theme& theme);

class AlignmentWidget : public QWidget
{
    Q_OBJECT

public:
    explicit AlignmentWidget(QWidget* parent = nullptr);

    void setContent(AlignmentContent content);

    const AlignmentContent& content() const { return m_content; }

    AlignmentLayout layoutNow() const;
    void setDescription(const QString& sentence); ///< of the current token, for screen readers

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenActivated(int below); ///< click, arrows
    void released();                ///< a click on the current token

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ReadableTable readable() const;

    AlignmentContent m_content;
};

} // namespace headscope::ui
