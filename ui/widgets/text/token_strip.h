#pragma once

#include "ui/widgets/drawn_widget.h"
#include "ui/widgets/text/token_chip_paint.h"
#include "ui/widgets/text/token_editor.h"
#include "ui/widgets/text/token_line.h"

#include <QPointer>

#include <optional>
#include <vector>

namespace headscope::ui {

/// Chips in model order, never reversed; scrolls when they do not fit.
class TokenStrip : public DrawnWidget
{
    Q_OBJECT

public:
    explicit TokenStrip(QWidget* parent = nullptr);

    /// `shown`: how many of them the model saw; the others follow dashed after "6 of 9 shown".
    /// `total`: all tokens of the text, which may be more than there are chips.
    void setChips(std::vector<TokenChip> chips, int shown, long long total);
    void setChips(std::vector<TokenChip> chips);
    void setQuery(std::optional<int> index);
    void setKey(std::optional<int> index);
    void setStale(bool stale);
    void setDetailed(bool detailed); ///< id and bytes after the text instead of the position

    const std::vector<TokenChip>& chips() const { return m_chips; }

    QRectF chipRect(int index) const; ///< in widget coordinates, scrolled
    std::optional<int> itemAt(QPointF position) const override;

    std::optional<int> query() const { return currentItem(); }

    std::optional<int> key() const { return m_key; }

    /// What stands after its text: "3", or "#464 \u00B7 4\u20137".
    QString chipNote(int index) const;

    /// Opens a field over the chip that holds `text`; Return ends with edited(), Esc without.
    void edit(int index, const QString& text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void queryChosen(int index); ///< click, or arrows
    void keyChosen(int index);   ///< Shift+click, or Shift+arrows
    void editWanted(int index);  ///< double click
    void edited(int index, const QString& text);

protected:
    int itemCount() const override { return static_cast<int>(m_chips.size()); }

    QRectF itemRect(int index) const override { return chipRect(index); }

    QString itemWords(int index) const override;
    QString itemToolTip(int index) const override;
    QString description() const override;

    std::optional<int> itemAfter(int key) const override { return indexAfter(query(), key); }

    void goToItem(int index) override;
    bool pressKey(const QKeyEvent& event) override;

    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    const TokenLine& line() const;
    void placeAgain();
    bool overflows() const;
    void scrollTo(double offset);
    void ensureVisible(int index);
    std::optional<int> seenChip(std::optional<int> index) const;
    QString cutMark() const;
    void paintCutMark(QPainter& painter, const Theme& theme) const;
    void paintFocus(QPainter& painter, const Theme& theme) const;
    TokenChipState chipState(int index) const;
    std::optional<int> indexAfter(std::optional<int> index, int key) const;
    void chooseKey(int index);

    std::vector<TokenChip> m_chips;
    int m_shown = 0;
    long long m_total = 0;
    std::optional<int> m_key;
    bool m_stale = false;
    bool m_detailed = false;
    QPointer<TokenEditor> m_editor; ///< only while a chip is edited
    double m_offset = 0.0;
    mutable std::optional<TokenLine> m_line; ///< none: not measured yet
};

} // namespace headscope::ui
