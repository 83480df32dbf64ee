#include "ui/pages/weights/weights_page.h"

#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/pages/weights/weights_figure.h"
#include "ui/pages/weights/weights_side_panel.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kSideWidth = 336;
constexpr int kPartWidth = 144;
constexpr int kMatrixWidth = 264;

/// True for an edit that replaces what the last one did to the same weights.
bool replaces(const WeightEdit& edit, const WeightEdit& last)
{
    return edit.kind == WeightEdit::Kind::Set && last.kind == WeightEdit::Kind::Set &&
           edit.matrix == last.matrix && edit.row == last.row && edit.column == last.column &&
           edit.head == last.head;
}

} // namespace

WeightsPage::WeightsPage(Session& session)
    : Page(session)
    , m_part(new ChoiceBox(this))
    , m_matrix(new ChoiceBox(this))
    , m_extent(new SegmentBar(this))
    , m_variant(new VariantBar(session, this))
    , m_text(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_map(new LegendMap(this))
    , m_side(new WeightsSidePanel)
    , m_scroll(new ColumnScroll(m_side, this))
    , m_measurement(this)
{
    m_part->setPurpose(tr("Part of the model"));
    m_matrix->setPurpose(tr("Weight matrix"));
    m_part->setMinimumWidth(kPartWidth);
    m_matrix->setMinimumWidth(kMatrixWidth);
    m_extent->setAccessibleName(tr("Rows to draw"));
    m_extent->setSegments(
        {{tr("Whole matrix"), tr("Every row; of a large matrix the largest weight of each block")},
         {tr("Near the row"), tr("The rows around the selected one")}});
    HeatmapOptions options;
    options.square = false;
    options.corner = false;
    m_map->setOptions(options);
    m_map->map().setAccessibleName(tr("Weights of the matrix"));
    m_map->map().setZoomable(true);
    m_variant->setMeanings(tr("The weights as opened"), tr("The weights after the edits"),
                           tr("What the edits changed"));
    m_variant->setWhyNoDifference([this]() -> QString {
        const ViewSnapshot view = this->session().viewSnapshot();
        const bool isSame = view.modelA.model && view.modelB.model &&
                            view.modelA.model->config() == view.modelB.model->config();
        return isSame ? QString() : tr("A and B are models of different sizes");
    });
    new PageFrame(*this, {makeControls(), m_text, {makeBody(), 1}});
    m_empty = new EmptyState(m_map);
    connectControls();
    connectMap();
    setMainWidget(m_map->map());
}

QLayout* WeightsPage::makeControls()
{
    return rowOf(12, {m_part, m_matrix, m_extent, m_variant, Placed::space()});
}

QLayout* WeightsPage::makeBody()
{
    m_scroll->setProperty("role", "page");
    m_side->setProperty("role", "page");
    m_scroll->setFixedWidth(kSideWidth);
    return rowOf(24, {{m_map, 1}, m_scroll});
}

void WeightsPage::connectControls()
{
    connect(m_part, &QComboBox::activated, this,
            [this](int index) { chooseMatrix(m_part->itemData(index).toString()); });
    connect(m_matrix, &QComboBox::activated, this,
            [this](int index) { chooseMatrix(m_matrix->itemData(index).toString()); });
    connect(m_extent, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.isNear = index == 1;
        refresh({});
    });
    connect(m_side, &WeightsSidePanel::placeChosen, this, &WeightsPage::choosePlace);
    connect(m_side, &WeightsSidePanel::directionChosen, this, [this](bool isColumn) {
        m_options.isColumn = isColumn;
        refresh({});
    });
    connect(&m_side->editBox(), &WeightEditBox::editWanted, this, &WeightsPage::apply);
    connect(&m_side->editBox(), &WeightEditBox::refused, this, &Page::messageWanted);
    connect(&m_measurement, &WeightsMeasurement::changed, this, &WeightsPage::refreshShown);
    connect(&m_measurement, &WeightsMeasurement::failed, this, &Page::messageWanted);
}

void WeightsPage::connectMap()
{
    const auto choose = [this](HeatmapCell cell) {
        const WeightMapPtr& map = m_measurement.map();
        if (map)
            choosePlace(map->firstRow + cell.row * map->rowsPerCell,
                        cell.column * map->columnsPerCell);
    };
    connect(&m_map->map(), &HeatmapWidget::cellActivated, this, choose);
}

void WeightsPage::chooseMatrix(const QString& name)
{
    m_options.matrix = name;
    refresh({});
}

void WeightsPage::choosePlace(qint64 row, qint64 column)
{
    m_options.row = row;
    m_options.column = column;
    refresh({});
}

void WeightsPage::apply(const WeightEdit& edit)
{
    Changes changes = session().changes();
    if (!changes.weights.empty() && replaces(edit, changes.weights.back()))
        changes.weights.back() = edit;
    else
        changes.weights.push_back(edit);
    session().document().setChanges(changes,
                                    tr("edit %1").arg(QString::fromStdString(edit.matrix)));
    if (session().view().shownVariant() == Variant::A)
        session().view().setShownVariant(Variant::B);
}

void WeightsPage::refresh(ChangeSet)
{
    const ViewSnapshot view = session().viewSnapshot();
    const WeightSubject subject = weightSubject(view, m_options);
    m_measurement.measure(subject, m_options);
    m_variant->refresh();
    refreshBoxes();
    refreshShown();
    m_empty->refresh(session(), {});
}

/// Lists the parts of the model, and the matrices of the selected one.
void WeightsPage::refreshBoxes()
{
    const std::shared_ptr<const Model>& model = m_measurement.subject().model;
    m_matrices = model ? weightMatrices(model->config()) : std::vector<WeightMatrix>();
    const QSignalBlocker part(m_part);
    const QSignalBlocker matrix(m_matrix);
    m_part->clear();
    m_matrix->clear();
    const QString current = partTitle(m_measurement.subject().matrix.name);
    for (const WeightMatrix& one : m_matrices) {
        const QString title = partTitle(one.name);
        const QString name = QString::fromStdString(one.name);
        if (m_part->findText(title) < 0)
            m_part->addItem(title, name);
        if (title == current)
            m_matrix->addItem(matrixTitle(one.name), name);
    }
    m_part->setCurrentIndex(m_part->findText(current));
    m_matrix->setCurrentIndex(m_matrix->findData(m_options.matrix));
    m_extent->setCurrent(m_options.isNear ? 1 : 0);
}

void WeightsPage::refreshShown()
{
    const WeightSubject& subject = m_measurement.subject();
    const WeightMapPtr& map = m_measurement.map();
    const LoadedModel model = session().viewSnapshot().model();
    const bool isShown = !subject.isEmpty();
    m_side->setVisible(isShown);
    if (!isShown) {
        m_text->clear();
        m_map->setShown({});
        return;
    }
    m_text->setText(matrixText(subject, m_options.isNear ? nullptr : map.get(), model));
    if (map && m_measurement.isMapped())
        m_map->setShown(weightsMap(subject, *map, m_options, model));
    m_side->show(m_measurement, m_options, sentenceTokens(), model);
}

std::vector<TokenId> WeightsPage::sentenceTokens() const
{
    std::vector<TokenId> ids;
    for (const Token& token : session().document().tokens().tokens)
        if (std::ranges::find(ids, token.id) == ids.end())
            ids.push_back(token.id);
    return ids;
}

Figure WeightsPage::figure() const
{
    const ViewSnapshot view = session().viewSnapshot();
    const WeightMapPtr& map = m_measurement.map();
    if (!map || !m_measurement.isMapped())
        return weightsFigure(view, options());
    return weightsFigure(view, m_measurement.subject(), *map, m_options);
}

QJsonObject WeightsPage::options() const
{
    return toJson(m_options);
}

void WeightsPage::setOptions(const QJsonObject& options)
{
    m_options = weightsOptions(options);
    if (isVisible())
        refresh({});
}

QString WeightsPage::hint() const
{
    return tr("Arrows move the cell \u00B7 Ctrl+wheel enlarges \u00B7 Esc shows all \u00B7 "
              "Ctrl+Z undoes an edit");
}

QString WeightsPage::whyNoNumber() const
{
    return tr("A weight is not computed from other numbers: training set it, or an edit.");
}

bool WeightsPage::isSettled() const
{
    return m_measurement.isSettled() && !session().models().isEditing();
}

bool WeightsPage::escape()
{
    return m_map->map().resetZoom();
}

PageDescriptor WeightsPage::descriptor()
{
    return {
        .name = "weights",
        .title = tr("Weights"),
        .question = tr("What is in each weight matrix, and what if it were different?"),
        .group = PageGroup::Change,
        .icon = "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1.5'/><path d='M6 "
                "6h2M6 10h2M6 14h2M12 6h2M12 14h2'/><path d='M10.5 11.5l4-4 2 2-4 4-2.4.4z' "
                "fill='@'/>",
        .help = tr(
            "See every weight matrix of the model, its singular values, and any row or column by its token. Edit one weight, a row, a head or a whole matrix: the edited model is B, on every page."),
        .terms = {"embedding", "parameter count"},
        .make = makePage<WeightsPage>,
        .figure = [](const ViewSnapshot& view,
                     const QJsonObject& options) { return weightsFigure(view, options); },
        .whyModel = tr("A captured trace has no weights. Open its model to see and edit them.")};
}

} // namespace headscope::ui
