#pragma once

#include "ui/widgets/drawn_widget.h"

#include <QRectF>
#include <QStringList>

#include <vector>

namespace headscope::ui {

/// The end of the text, followed by the generated tokens as dashed chips. A click returns to the
/// text before one.
class GeneratedStrip : public DrawnWidget
{
    Q_OBJECT

public:
    explicit GeneratedStrip(QWidget* parent = nullptr);

    void setTokens(const QString& text, QStringList generated);

    QRectF chipRect(int index) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rewindWanted(int index); ///< Emitted to return to the text before this token.

protected:
    int itemCount() const override { return static_cast<int>(m_generated.size()); }

    QRectF itemRect(int index) const override { return chipRect(index); }

    QString itemText(int index) const override;
    /// Describes all tokens until one has the keyboard cursor.
    QString description() const override;

    void clickItem(int index) override { emit rewindWanted(index); }

    bool openItem(int index) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    std::vector<QRectF> places() const; ///< Rectangles, the text's end first.

    QString m_text;
    QStringList m_generated;
};

} // namespace headscope::ui
