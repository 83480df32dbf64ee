#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "ui/widgets/diagrams/diagram_widget.h"

namespace headscope::ui {

/// Layout of a LabTokens: rows below each other, each with its name, its chips in as many lines as
/// needed, and its note. Tokens that do not fit are counted.
class TokenRowsLayout
{
public:
    struct Chip
    {
        QRectF rect;
        std::size_t row = 0;
        std::size_t token = 0;
    };

    struct Row
    {
        QRectF name;
        QRectF note;
        QRectF more;            ///< Area of a text such as "and 1 204 more".
        std::size_t hidden = 0; ///< Number of tokens that do not fit.
    };

    TokenRowsLayout(QRectF area, const LabTokens& tokens, const Theme& theme);

    const std::vector<Chip>& chips() const { return m_chips; }

    const std::vector<Row>& rows() const { return m_rows; }

    double height() const { return m_height; } ///< Height that the layout uses.

private:
    double placeRow(std::size_t row, QRectF area, const LabTokens& tokens, const Theme& theme);

    std::vector<Chip> m_chips;
    std::vector<Row> m_rows;
    double m_height = 0.0;
};

double tokenRowsHeight(const LabTokens& tokens, double width, const Theme& theme);
void paintTokenRows(QPainter& painter, const QRectF& area, const LabTokens& tokens,
                    const Theme& theme);

/// Text such as "BPE: token un, id 403, bytes 0 to 2, new".
QString describeToken(const LabTokens& tokens, std::size_t row, std::size_t token);

class TokenRowsDiagram : public DiagramWidget
{
    Q_OBJECT

public:
    using DiagramWidget::DiagramWidget;

    void setContent(const LabTokens& tokens);

protected:
    std::vector<DiagramItem> makePlaces(const QRectF& area, const Theme& theme) const override;
    void paintAll(QPainter& painter, const QRectF& area, const Theme& theme) const override;

private:
    LabTokens m_tokens;
};

} // namespace headscope::ui
