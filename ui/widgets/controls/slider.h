#pragma once

#include "ui/widgets/charts/bars/bars.h"

#include <QAbstractSlider>

class QLineEdit;

namespace headscope::ui {

/// Mapping between slider steps and numbers.
struct SliderScale
{
    double low = 0.0;
    double high = 1.0;
    int steps = 100;
    bool logarithmic = false; ///< Logarithmic scale; low and high must then be above 0.
    double multiple = 0.0;    ///< Values are rounded to multiples of it; 0: not rounded.
    int decimals = 0;

    double valueAt(int step) const;
    int stepOf(double value) const;
    double rounded(double value) const; ///< Value rounded to a multiple, within [low, high].
};

/// Slider with name at the left, editable value at the right, a 4 px track, and end values below.
/// Keeps the exact number even between two steps.
class NamedSlider : public QAbstractSlider
{
    Q_OBJECT

public:
    /// Takes a plain `name` ("Position") and a `symbol` in the role's colour ("p").
    NamedSlider(const QString& name, const QString& symbol, Role role, QWidget* parent = nullptr);

    void setScale(SliderScale scale);
    void setNumber(double value);

    double number() const { return m_number; }

    void setCompact(bool compact); ///< Hides the end values.

    /// Shows name, track, value and a suffix in one line of 32 px: "Show the strongest - 70 % of
    /// each row".
    void setInline(const QString& unit, const QString& after);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void numberChanged(double value);
    /// Emitted when the typed text is not a number between the ends.
    void textRefused(const QString& text);

protected:
    bool event(QEvent* event) override;
    void sliderChange(SliderChange change) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF trackRect() const;
    void paintTrack(QPainter& painter, const Theme& theme) const;
    QRectF valueRect() const;
    QString valueText() const;
    void startEditing();
    void finishEditing();
    void follow(QPointF position);

    QString m_name;
    QString m_symbol;
    Role m_role;
    SliderScale m_scale;
    double m_number = 0.0;
    QString m_unit;
    QString m_after;
    bool m_inline = false;
    bool m_compact = false;
    bool m_setting = false;
    QLineEdit* m_editor = nullptr;
};

} // namespace headscope::ui
