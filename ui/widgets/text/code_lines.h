#pragma once

#include "ui/widgets/drawn_widget.h"

#include <vector>

namespace headscope::ui {

struct Theme;

/// Line of a program, with the shape of its result in the margin.
struct CodeLine
{
    QString code;
    QString shape;         ///< "[n, d_k]"; empty for other lines.
    bool computes = false; ///< False: a line without a result of its own, drawn quieter.
};

/// Lines of code, one of them chosen. Up, Down, Home and End choose another.
class CodeLines : public DrawnWidget
{
    Q_OBJECT

public:
    explicit CodeLines(const QString& accessibleName);

    /// Lines in a language whose comments begin with `comment`. Chooses no line.
    void setLines(std::vector<CodeLine> lines, const QString& comment);
    void setChosen(std::optional<int> line); ///< Emits no signal.

    std::optional<int> chosen() const { return m_chosen; }

    const std::vector<CodeLine>& lines() const { return m_lines; }

    QRectF lineRect(int line) const;
    QSize sizeHint() const override;

    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void lineChosen(int line);

protected:
    int itemCount() const override { return static_cast<int>(m_lines.size()); }

    QRectF itemRect(int line) const override { return lineRect(line); }

    QString itemText(int line) const override;

    QString itemToolTip(int) const override { return {}; }

    void goToItem(int line) override;
    bool pressKey(const QKeyEvent& event) override; ///< Home and End.
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QFont codeFont() const;
    double margin() const; ///< Width of the shapes.
    void paintLine(QPainter& painter, int line, const Theme& theme) const;

    std::vector<CodeLine> m_lines;
    QString m_comment;
    std::optional<int> m_chosen;
};

} // namespace headscope::ui
