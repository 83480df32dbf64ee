#pragma once

#include "ui/pages/next_token/next_token_content.h"
#include "ui/pages/shared/figures/figure.h"
#include "ui/widgets/readable.h"

#include <QWidget>

namespace headscope::ui {

/// Logits, scaled logits, softmax, and the sampling distribution: one row per token.
void paintNextTokens(QPainter& painter, QRectF area, const NextTokenContent& content,
                     std::optional<int> current, const Theme& theme);
double nextTokensHeight(const NextTokenContent& content, const Theme& theme);

/// Accessible text: "was: logit 7.512, softmax 0.412, sampling probability 0.530".
QString describeRow(const NextTokenRow& row, const SamplingSettings& settings);

Figure nextTokenFigure(const ViewSnapshot& view, const QJsonObject& options);

/// Single tab stop; Up and Down move between tokens.
class NextTokenTable : public QWidget
{
    Q_OBJECT

public:
    explicit NextTokenTable(QWidget* parent = nullptr);

    void setContent(NextTokenContent content);

    std::optional<int> current() const { return m_current; }

    /// Number of a row under a point of the widget.
    struct Place
    {
        int row = 0;
        NextTokenStage column = NextTokenStage::Probability;
    };

    std::optional<Place> placeAt(QPointF point) const;

    QRectF rowRect(int row) const;
    QRectF columnRect(Place place) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void currentChanged();
    void rowOpened(); ///< Emitted on Enter or a double click on the current row.

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setCurrent(std::optional<int> row);
    QString rowText(int row) const;
    ReadableTable readable() const;

    NextTokenContent m_content;
    std::optional<int> m_current;
};

} // namespace headscope::ui
