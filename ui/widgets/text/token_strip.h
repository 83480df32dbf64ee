#pragma once

#include "core/text/tokenizers/tokenizer.h"
#include "ui/widgets/readable.h"
#include "ui/widgets/style/theme.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

class QLineEdit;
class QPainter;

namespace headscope::ui {

/// One token as a person reads it.
struct TokenChip
{
    QString text; ///< empty in a piece whose character stands in an earlier piece
    TokenId id = 0;
    ByteRange bytes; ///< of the typed text
    QString rawText; ///< this token's own bytes, readable: "<0xE6><0x97>"
    bool special = false;
    bool masked = false;        ///< struck through: nobody may look at it
    bool joinsPrevious = false; ///< belongs to the same character as the token before
};

/// Readable chips of a text. Consecutive tokens that only together form a UTF-8 character are
/// joined: the first shows the character, the others only their position.
std::vector<TokenChip> tokenChips(const TokenSequence& tokens, const Tokenizer& tokenizer);

/// What labels of maps and bars show for each token (joined pieces repeat their character).
QStringList tokenLabels(const std::vector<TokenChip>& chips);

/// Chips in model order, never reversed; scrolls when they do not fit.
class TokenStrip : public QWidget
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
    std::optional<int> chipAt(QPointF position) const;

    double scrollOffset() const { return m_offset; }

    std::optional<int> query() const { return m_query; }

    std::optional<int> key() const { return m_key; }

    QString
    chipNote(int index) const; ///< what stands after its text: "3", or "#464 \u00B7 4\u20137"

    /// Opens a field over the chip that holds `text`; Return ends with edited(), Esc without.
    void edit(int index, const QString& text);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void queryChosen(int index); ///< click, or arrows
    void keyChosen(int index);   ///< Shift+click, or Shift+arrows
    void chipHovered(std::optional<int> index);
    void editWanted(int index); ///< double click
    void edited(int index, const QString& text);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Placed
    {
        double x = 0.0;
        double width = 0.0;
    };

    void place() const;
    double contentWidth() const;
    void scrollTo(double offset);
    void ensureVisible(int index);
    void paintChip(QPainter& painter, const Theme& theme, int index) const;
    void paintCutMark(QPainter& painter, const Theme& theme) const;
    QString chipToolTip(int index) const;
    bool overflows() const;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void finishEditing(bool keep);
    QString words(int index) const;
    ReadableTable readable() const;

    std::vector<TokenChip> m_chips;
    int m_shown = 0;
    long long m_total = 0;
    std::optional<int> m_query;
    std::optional<int> m_key;
    std::optional<int> m_hovered;
    bool m_stale = false;
    bool m_detailed = false;
    QLineEdit* m_editor = nullptr; ///< only while a chip is edited
    int m_edited = -1;
    double m_offset = 0.0;
    mutable std::vector<Placed> m_placed; ///< empty: not measured yet
    mutable double m_cutX = 0.0;
    mutable double m_cutWidth = 0.0;
};

} // namespace headscope::ui
