#include "ui/widgets/style/style_sheet.h"

#include <utility>

namespace headscope::ui {
namespace {

/// Style sheet template: @name@ is replaced by a colour, #pt(13) by a type size in points.
constexpr auto kTab = R"(
QToolTip { background: @surface@; color: @text@; border: 1px solid @line2@; padding: 4px 6px; }
QPushButton, QToolButton[role="button"] {
    background: @surface@; color: @text@; border: 1px solid @control@; border-radius: 6px;
    padding: 0 14px; min-height: 30px; }
QPushButton:checked { background: @soft@; color: @accent@; border-color: @accent@; }
QPushButton:hover, QToolButton[role="button"]:hover { background: @hover@; }
QPushButton:focus, QToolButton[role="button"]:focus { border: 2px solid @accent@; padding: 0 13px; min-height: 28px; }
QPushButton:disabled, QToolButton[role="button"]:disabled { color: @text3@; border-color: @line2@; }
QPushButton[role="primary"] { background: @accent@; color: @on-accent@; border-color: @accent@; font-weight: 600; }
QPushButton[role="primary"]:focus { border: 2px solid @text@; }
QPushButton[role="primary"]:disabled { background: @track@; color: @text3@; border-color: @track@; }
QPushButton[role="link"] { background: transparent; border: none; color: @accent@; text-decoration: underline;
    padding: 0; min-height: 24px; }
QPushButton[role="link"]:focus { border: 2px solid @accent@; border-radius: 4px; }
QPushButton[role="tall"] { min-height: 38px; }
QToolButton[role="offer"] { background: @surface@; color: @text@; border: 1px dashed @control@; border-radius: 15px;
    padding: 0 12px; min-height: 28px; }
QToolButton[role="offer"]:hover { background: @hover@; }
QToolButton[role="offer"]:focus { border: 2px solid @accent@; padding: 0 11px; min-height: 26px; }
QToolButton[role="offer"]:disabled { color: @text3@; border-color: @line2@; }
QToolButton[role="offer"]::menu-indicator { image: none; }
QPushButton::menu-indicator { image: none; }
QToolButton[role="plain"] { background: transparent; border: 2px solid transparent; border-radius: 4px; color: @text2@;
    min-width: 20px; min-height: 20px; }
QToolButton[role="plain"]:hover { background: @hover@; }
QToolButton[role="plain"]:focus { border-color: @accent@; }
QToolButton[segment] {
    background: @surface@; color: @text@; border: 1px solid @control@; border-left: none; border-radius: 0;
    padding: 0 12px; min-height: 26px; }
QToolButton[segment="first"], QToolButton[segment="only"] { border-left: 1px solid @control@;
    border-top-left-radius: 6px; border-bottom-left-radius: 6px; }
QToolButton[segment="last"], QToolButton[segment="only"] {
    border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
QToolButton[segment]:hover { background: @hover@; }
QToolButton[segment]:checked { background: @soft@; color: @accent@; font-weight: 600; }
QToolButton[segment]:focus { border: 2px solid @accent@; }
QToolButton[segment]:disabled { color: @text3@; }
QLineEdit, QSpinBox, QDoubleSpinBox, QPlainTextEdit {
    background: @surface@; color: @text@; border: 1px solid @control@; border-radius: 6px; padding: 0 8px;
    selection-background-color: @accent@; selection-color: @on-accent@; }
QSpinBox, QDoubleSpinBox { min-height: 30px; }
QSpinBox:focus, QDoubleSpinBox:focus { min-height: 28px; }
QLineEdit { min-height: 30px; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus { border: 2px solid @accent@; padding: 0 7px; }
QLineEdit:focus { min-height: 28px; }
QLineEdit[role="sentence"] { font-size: #pt(18); padding: 0 12px; min-height: 38px; }
QLineEdit[role="sentence"]:focus { padding: 0 11px; min-height: 36px; }
QLineEdit[role="value"] { font-size: #pt(18); font-weight: 600; padding: 0 4px; border-radius: 4px; min-height: 22px; }
QComboBox { background: @surface@; color: @text@; border: 1px solid @control@; border-radius: 6px;
    padding: 0 10px; min-height: 30px; }
QComboBox:focus { border: 2px solid @accent@; padding: 0 9px; min-height: 28px; }
QComboBox::drop-down { border: none; width: 24px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    background: transparent; border: none; width: 20px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: none; width: 0; height: 0;
    border-left: 4px solid @surface@; border-right: 4px solid @surface@; border-bottom: 5px solid @text2@; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: none; width: 0; height: 0;
    border-left: 4px solid @surface@; border-right: 4px solid @surface@; border-top: 5px solid @text2@; }
QComboBox QAbstractItemView { background: @surface@; color: @text@; border: 1px solid @line2@;
    selection-background-color: @soft@; selection-color: @accent@; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; border: none; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; border: none; }
QScrollBar::handle { background: @line2@; border: 3px solid transparent; border-radius: 6px; background-clip: padding; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: @control@; background-clip: padding; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QLabel:focus { background: @soft@; }
QFrame[role="message"] { background: @surface@; border: none; border-bottom: 1px solid @line@; }
QWidget[role="page"] { background: @surface@; }
QScrollArea[role="page"] { background: @surface@; border: none; }
)";

QString withColours(QString sheet, const Theme& theme)
{
    const std::pair<const char*, QColor> colours[] = {
        {"@surface@", theme.surface}, {"@hover@", theme.hover},        {"@track@", theme.track},
        {"@line@", theme.line},       {"@line2@", theme.line2},        {"@control@", theme.control},
        {"@text@", theme.text},       {"@text2@", theme.text2},        {"@text3@", theme.text3},
        {"@accent@", theme.accent},   {"@on-accent@", theme.onAccent}, {"@soft@", theme.soft},
    };
    for (const auto& [name, colour] : colours)
        sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

} // namespace

QString styleSheetOf(const Theme& theme)
{
    QString sheet = withColours(QString::fromUtf8(kTab), theme);
    const double points = theme.font(TextRole::Sentence).pointSizeF();
    sheet.replace(QLatin1String("#pt(18)"), QString::number(points, 'f', 2) + QLatin1String("pt"));
    return sheet;
}

} // namespace headscope::ui
