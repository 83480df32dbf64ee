#include "ui/window/dialogs/export_dialog.h"

#include "ui/pages/shared/figures/figure_file.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/dialogs/proposed_file.h"
#include "ui/workers/error_sentence.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

namespace headscope::ui {

namespace {

constexpr int kLargestSide = 16384;

} // namespace

ExportDialog::ExportDialog(Figure figure, QByteArray session, const QString& folder,
                           QWidget* parent)
    : SaveDialog(figure.title, {},
                 {{tr("PNG"), tr("Pixels"), ".png"},
                  {tr("SVG"), tr("Vector graphics, for the web and for editing"), ".svg"},
                  {tr("PDF"), tr("Vector graphics with searchable text, for papers"), ".pdf"}},
                 parent)
    , m_figure(std::move(figure))
    , m_session(std::move(session))
{
    setObjectName("export");
    setWindowTitle(tr("Export view"));
    addAppearance();
    addFile(folder, fileNameFor(m_figure.title), tr("Export as PNG, SVG or PDF"),
            tr("Figures (*.png *.svg *.pdf)"));
    m_preview = new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2);
    m_preview->setObjectName("preview");
    m_preview->setWordWrap(true);
    addEnd({m_preview}, tr("Export"));
    refresh();
}

void ExportDialog::addAppearance()
{
    m_theme = new SegmentBar;
    m_theme->setSegments({{tr("Light"), {}}, {tr("Dark"), {}}});
    m_theme->setCurrent(0);
    m_theme->setAccessibleName(tr("Theme"));
    connect(m_theme, &SegmentBar::currentChanged, this, &ExportDialog::refresh);
    addRow(tr("Theme"), m_theme);
    auto* scales = new ChoiceBox;
    scales->setPurpose(tr("Scale"));
    m_scale = scales;
    for (const int scale : {1, 2, 3, 4, 8})
        m_scale->addItem(tr("Scale factor %1", nullptr, scale).arg(scale), scale);
    m_scale->setCurrentIndex(1);
    connect(m_scale, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    addRow(tr("Scale"), m_scale);
    const auto side = [this](const QString& name) {
        auto* box = new QSpinBox;
        box->setRange(0, kLargestSide);
        box->setSingleStep(20);
        box->setSpecialValueText(tr("automatic"));
        box->setSuffix(tr(" px"));
        box->setAccessibleName(name);
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
        addRow(name, box);
        return box;
    };
    m_width = side(tr("Width"));
    m_height = side(tr("Height"));
    m_caption = new QCheckBox(tr("Include caption below the figure"));
    m_caption->setEnabled(!m_figure.caption.isEmpty());
    m_caption->setToolTip(m_figure.caption);
    connect(m_caption, &QCheckBox::toggled, this, &ExportDialog::refresh);
    addRow(tr("Caption"), m_caption);
}

FigureStyle ExportDialog::style() const
{
    FigureStyle style;
    style.dark = m_theme->current() == 1;
    style.scale = format() == 0 ? m_scale->currentData().toDouble() : 1.0;
    if (m_width->value() > 0 || m_height->value() > 0) {
        const QSize wanted = FigurePage(m_figure, {style.dark}).size();
        style.size = {m_width->value() > 0 ? m_width->value() : wanted.width(),
                      m_height->value() > 0 ? m_height->value() : wanted.height()};
    }
    style.caption = m_caption->isChecked();
    style.session = m_session;
    return style;
}

/// Describes the file to be written, or says why it cannot be written.
void ExportDialog::refresh()
{
    m_scale->setEnabled(format() == 0);
    setProblem({});
    try {
        const FigureStyle now = style();
        const QSize size = FigurePage(m_figure, now).size() * now.scale;
        m_preview->setText(
            tr("%1, %2 \u00D7 %3 %4, %5. The file includes title, model, sentence, caption and "
               "version. It also contains this session: open the file in Headscope to restore "
               "the window.")
                .arg(ending().mid(1).toUpper(), count(size.width()), count(size.height()),
                     format() == 0 ? tr("pixels") : tr("logical pixels"),
                     now.dark ? tr("dark") : tr("light")));
    } catch (const std::exception& error) {
        m_preview->clear();
        setProblem(errorSentence(error));
    }
}

void ExportDialog::save()
{
    if (!isReplaceable())
        return;
    try {
        saveFigure(m_figure, style(), path().toStdString());
    } catch (const std::exception& error) {
        return setProblem(errorSentence(error));
    }
    emit saved(path());
    close();
}

} // namespace headscope::ui
