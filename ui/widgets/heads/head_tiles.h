#pragma once

#include "ui/widgets/heads/head_grid.h"

namespace headscope::ui {

/// Heads large enough to be watched, each with its name and one measured number.
struct HeadTilesContent
{
    HeadGridContent grid;
    std::vector<QString> notes; ///< layer-major: "induction 0.87"; empty where nothing was measured
    double queryRow = -1.0;     ///< of the selected head's map: 0 to 1 from its top; < 0: none
    double rowHeight = 0.0;     ///< of one query, the same way
};

/// Where tiles lie. Where they are small, names and numbers are left out.
class HeadTilesLayout
{
public:
    HeadTilesLayout() = default;
    HeadTilesLayout(QRectF area, const HeadTilesContent& content, const Theme& theme,
                    double pixelRatio = 1.0);

    QRectF mapRect(HeadIndex index) const;
    QRectF labelRect(HeadIndex index) const; ///< empty without labels
    std::optional<HeadIndex> headAt(QPointF position) const;
    QSizeF size() const;

    double side() const { return m_side; }

    bool isLabelled() const { return m_label > 0.0; }

private:
    QPointF m_origin;
    int m_layers = 0;
    int m_heads = 0;
    double m_side = 0.0;
    double m_label = 0.0; ///< height
    double m_gap = 0.0;
};

void paintHeadTiles(QPainter& painter, const HeadTilesLayout& layout,
                    const HeadTilesContent& content, const Theme& theme, double pixelRatio = 1.0);

/// All heads of all layers, as large as there is room for. Arrows go from head to head.
class HeadTiles : public QWidget
{
    Q_OBJECT

public:
    explicit HeadTiles(QWidget* parent = nullptr);

    void setContent(HeadTilesContent content);

    const HeadTilesContent& content() const { return m_content; }

    HeadTilesLayout layoutNow() const;

    QSize sizeHint() const override { return {480, 320}; }

    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    void headActivated(headscope::ui::HeadIndex index);
    void headOpened(headscope::ui::HeadIndex index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QString words(HeadIndex index) const;
    void describe();
    ReadableTable readable() const;

    HeadTilesContent m_content;
};

} // namespace headscope::ui
