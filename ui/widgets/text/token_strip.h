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

    /// Sets the chips, of which the model has seen `shown`; the others are dashed after "6 of 9
    /// shown". `total` counts all tokens of the text, possibly more than there are chips.
    void setChips(std::vector<TokenChip> chips, int shown, long long total);
    void setChips(std::vector<TokenChip> chips);
    void setQuery(std::optional<int> index);
    void setKey(std::optional<int> index);
    /// Sets the word of each chip: chips of the query's or key's word are marked with it. Empty:
    /// every chip is marked alone.
    void setWords(std::vector<int> words);
    /// Names of the turns of a chat, written above their chips, whose strip is then taller; empty:
    /// no chat.
    void setTurns(QStringList names);
    /// Folds the chips that a chat's template wrote to narrow marks.
    void setTemplateFolded(bool folded);
    void setStale(bool stale);
    /// With `opens`, a click or Return on a chip emits chipOpened().
    void setOpensChips(bool opens);
    /// Shows id and bytes after the text instead of the position.
    void setDetailed(bool detailed);

    const std::vector<TokenChip>& chips() const { return m_chips; }

    QRectF chipRect(int index) const; ///< Area of a chip in widget coordinates, scrolled.
    std::optional<int> itemAt(QPointF position) const override;

    std::optional<int> query() const { return currentItem(); }

    std::optional<int> key() const { return m_key; }

    /// Note after the chip's text: "3", or "#464 \u00B7 4\u20137"; empty for a folded chip.
    QString chipNote(int index) const;

    /// Opens an editor with `text` over the chip; Return ends with edited(), Esc without.
    void edit(int index, const QString& text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void queryChosen(int index); ///< Emitted on a click or an arrow key.
    void keyChosen(int index);   ///< Emitted on Shift+click or Shift+arrow.
    void editWanted(int index);  ///< Emitted on a double click.
    void chipOpened(int index);  ///< See setOpensChips().
    void edited(int index, const QString& text);

protected:
    int itemCount() const override { return static_cast<int>(m_chips.size()); }

    QRectF itemRect(int index) const override { return chipRect(index); }

    QString itemText(int index) const override;
    QString itemToolTip(int index) const override;
    QString description() const override;

    std::optional<int> itemAfter(int key) const override { return indexAfter(query(), key); }

    void goToItem(int index) override;
    bool openItem(int index) override;
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
    bool isOnArrow(QPointF position) const;
    void scrollTo(double offset);
    void ensureVisible(int index);
    std::optional<int> seenChip(std::optional<int> index) const;
    bool isMarked(int index, std::optional<int> mark) const;
    QString cutMark() const;
    QString turnName(int index) const;
    void paintTurns(QPainter& painter, const Theme& theme) const;
    void paintCutMark(QPainter& painter, const Theme& theme) const;
    void paintFocus(QPainter& painter, const Theme& theme) const;
    TokenChipState chipState(int index) const;
    std::optional<int> indexAfter(std::optional<int> index, int key) const;
    void chooseKey(int index);

    std::vector<TokenChip> m_chips;
    int m_shown = 0;
    long long m_total = 0;
    std::optional<int> m_key;
    std::vector<int> m_words;
    QStringList m_turns;
    bool m_foldsTemplate = false;
    bool m_stale = false;
    bool m_detailed = false;
    bool m_opensChips = false;
    QPointer<TokenEditor> m_editor; ///< Exists only while a chip is edited.
    double m_offset = 0.0;
    mutable std::optional<TokenLine> m_line; ///< None: not measured yet.
};

} // namespace headscope::ui
