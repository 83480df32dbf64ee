#include "ui/pages/shared/stages/lab_plot_widget.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/diagrams/box_diagram.h"
#include "ui/widgets/diagrams/tiles_diagram.h"
#include "ui/widgets/diagrams/token_rows_diagram.h"
#include "ui/widgets/diagrams/tree_diagram.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace headscope::ui {

namespace {

constexpr double kLeastBar = 18.0;
constexpr double kUsualBar = 24.0;
constexpr int kLeastTableRow = 26;

/// `show` is only called with a figure of kind P.
template<class P>
class Holder : public LabPlotWidget
{
public:
    bool setDiagram(const LabPlot& plot) override
    {
        const auto* mine = std::get_if<P>(&plot);
        if (mine == nullptr)
            return false;
        fill(*mine);
        return true;
    }

protected:
    virtual void fill(const P& plot) = 0;
};

class ChartHolder : public Holder<LabChart>
{
public:
    explicit ChartHolder(const QString& name) : m_chart(new LineChart(name)) { hold(m_chart); }

    void fill(const LabChart& chart) override
    {
        m_chart->setContent(chartContent(chart, Theme::of(*this)));
    }

private:
    LineChart* m_chart;
};

/// Rows shrink before they scroll.
class BarsHolder : public Holder<LabBars>
{
public:
    explicit BarsHolder(const QString& name)
        : m_bars(new BarsWidget)
        , m_area(transparentScroll(m_bars))
    {
        m_bars->setAccessibleName(name);
        hold(m_area);
        QObject::connect(m_bars, &BarsWidget::barActivated, m_bars, [this](int bar) {
            const double height = m_bars->height() / std::max(1.0, count());
            m_area->ensureVisible(0, static_cast<int>((bar + 0.5) * height), 0,
                                  static_cast<int>(height));
        });
    }

    void fill(const LabBars& bars) override
    {
        m_options = barsOptions(bars);
        m_bars->setBars(barsContent(bars));
        fit();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        LabPlotWidget::resizeEvent(event);
        fit();
    }

private:
    double count() const { return static_cast<double>(m_bars->bars().size()); }

    void fit()
    {
        const double fitting = height() / std::max(1.0, count()) / Theme::of(*this).scale();
        m_options.rowHeight = std::clamp(std::floor(fitting), kLeastBar, kUsualBar);
        m_bars->setOptions(m_options);
    }

    BarsWidget* m_bars;
    QScrollArea* m_area;
    BarsOptions m_options;
};

class MatrixHolder : public Holder<LabMatrix>
{
public:
    explicit MatrixHolder(const QString& name) : m_map(new HeatmapWidget), m_bar(new ColourBar)
    {
        m_map->setAccessibleName(name);
        m_map->setParent(this);
        m_bar->setParent(this);
        setFocusProxy(m_map);
        QObject::connect(m_map, &HeatmapWidget::cellActivated, m_map,
                         [this](HeatmapCell cell) { m_map->setCurrentCell(cell); });
    }

    void fill(const LabMatrix& matrix) override
    {
        HeatmapContent content = matrixContent(matrix);
        const auto current = m_map->content().current;
        if (current && content.matrix.contains(*current))
            content.current = current;
        m_map->setOptions(matrixOptions(matrix));
        m_map->setContent(std::move(content));
        m_bar->setContent(matrixLegend(matrix));
        place();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        LabPlotWidget::resizeEvent(event);
        place();
    }

private:
    /// The legend directly below the cells.
    void place()
    {
        const int legend = m_bar->sizeHint().height();
        const int room = std::max(height() - legend, 1);
        m_map->setGeometry(0, 0, width(), room);
        const int below = static_cast<int>(m_map->layoutNow().viewport().bottom()) + 8;
        m_bar->setGeometry(0, std::min(below, room), width(), legend);
        m_map->resize(width(), std::min(below, room));
    }

    HeatmapWidget* m_map;
    ColourBar* m_bar;
};

class TableHolder : public Holder<LabTable>
{
public:
    explicit TableHolder(const QString& name) : m_table(new FactTable(name))
    {
        m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        m_table->setLeastRowHeight(kLeastTableRow);
        hold(m_table);
    }

    void fill(const LabTable& table) override
    {
        const std::vector<FactColumn> columns = tableColumns(table, Theme::of(*this));
        const auto isSame = [](const FactColumn& a, const FactColumn& b) {
            return a.title == b.title && a.width == b.width && a.isNumber == b.isNumber;
        };
        if (!std::ranges::equal(columns, m_table->columns(), isSame))
            m_table->setColumns(columns);
        m_table->setRows(tableRows(table));
        m_table->setSorted(-1, true);
        if (table.current >= 0)
            choose(QString::number(table.current));
    }

private:
    /// Follows a change of the chosen row, but begins at the first one: a table that is not shown
    /// yet does not know which rows fit.
    void choose(const QString& row)
    {
        const QStringList before = m_table->chosen();
        if (before == QStringList{row})
            return;
        m_table->setAutoScroll(!before.isEmpty());
        m_table->setChosen({row});
        m_table->setAutoScroll(true);
        if (before.isEmpty())
            m_table->scrollToTop();
    }

    FactTable* m_table;
};

/// Widgets that draw a figure directly.
template<class P, class Drawn>
class DrawnHolder : public Holder<P>
{
public:
    explicit DrawnHolder(const QString& name) : m_drawn(new Drawn(name)) { this->hold(m_drawn); }

    void fill(const P& plot) override { m_drawn->setContent(plot); }

protected:
    Drawn* m_drawn;
};

class TilesHolder : public DrawnHolder<LabTiles, TilesDiagram>
{
public:
    using DrawnHolder::DrawnHolder;

    int frame() const override { return m_drawn->done(); }

    void setFrame(int frame) override { m_drawn->setDone(frame); }
};

struct Make
{
    QString name;

    using Made = std::unique_ptr<LabPlotWidget>;

    Made operator()(const LabChart&) const { return std::make_unique<ChartHolder>(name); }

    Made operator()(const LabBars&) const { return std::make_unique<BarsHolder>(name); }

    Made operator()(const LabMatrix&) const { return std::make_unique<MatrixHolder>(name); }

    Made operator()(const LabTable&) const { return std::make_unique<TableHolder>(name); }

    Made operator()(const LabTokens&) const
    {
        return std::make_unique<DrawnHolder<LabTokens, TokenRowsDiagram>>(name);
    }

    Made operator()(const LabTree&) const
    {
        return std::make_unique<DrawnHolder<LabTree, TreeWidget>>(name);
    }

    Made operator()(const LabTiles&) const { return std::make_unique<TilesHolder>(name); }

    Made operator()(const LabDiagram&) const
    {
        return std::make_unique<DrawnHolder<LabDiagram, BoxDiagram>>(name);
    }
};

} // namespace

std::unique_ptr<LabPlotWidget> LabPlotWidget::make(const LabPlot& plot, const QString& name)
{
    return std::visit(Make{name}, plot);
}

void LabPlotWidget::hold(QWidget* inner)
{
    columnOf(0, {inner}, this);
    setFocusProxy(inner);
}

} // namespace headscope::ui
