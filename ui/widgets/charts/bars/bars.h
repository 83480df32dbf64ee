#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace headscope::ui {

enum class Role { Plain, Query, Key, Value, Accent };

QColor roleColour(Role role, const Theme& theme); ///< Colour of a role; Plain: the bar colour.

struct Bar
{
    QString label;
    double value = 0.0;
    std::optional<double> before; ///< Value of A when `value` is that of B.
    std::optional<int> position;  ///< Position of a token, in small type after its label.
    Role role = Role::Plain;
    QString words;        ///< Text in the number's place; empty: the number.
    bool subject = false; ///< Highlighted: label and bar in the role's colour, the label bold.
};

struct BarsOptions
{
    double largest = 0.0; ///< Value of a full bar; 0: the largest of the bars.
    int decimals = 3;
    /// Width of the labels; 0: as wide as the widest label, at most 38 %.
    double labelWidth = 0.0;
    QString unit;           ///< Unit after the number, such as " %".
    double rowHeight = 0.0; ///< Row height at scale 1; 0: 24, or 32 with a comparison.
};

/// Paints `bars.size()` rows of BarsOptions::rowHeight from the top of `area`; only those that
/// `exposed` touches, unless it is null.
void paintBars(QPainter& painter, QRectF area, const std::vector<Bar>& bars,
               const BarsOptions& options, const Theme& theme, QRectF exposed = {});
double heightOfRow(const std::vector<Bar>& bars, const BarsOptions& options, const Theme& theme);
double barsHeight(const std::vector<Bar>& bars, const Theme& theme,
                  const BarsOptions& options = {});

class BarsWidget : public DrawnWidget
{
    Q_OBJECT

public:
    explicit BarsWidget(QWidget* parent = nullptr);

    void setBars(std::vector<Bar> bars);
    void setOptions(BarsOptions options);

    const std::vector<Bar>& bars() const { return m_bars; }

    /// Bar at a position of the screen.
    std::optional<int> barAt(std::optional<QPoint> place) const;

    /// Bar last clicked or moved to.
    std::optional<int> currentBar() const { return currentItem(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void barActivated(int index); ///< Emitted on a click, or on Up and Down.

protected:
    int itemCount() const override { return static_cast<int>(m_bars.size()); }

    QRectF itemRect(int index) const override;
    QString itemText(int index) const override;
    std::optional<int> itemAt(QPointF position) const override;
    QString description() const override; ///< Description of all bars.
    void goToItem(int index) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<Bar> m_bars;
    BarsOptions m_options;
};

} // namespace headscope::ui
