#include "ui/pages/what_if/possible_changes.h"

#include "ui/pages/shared/changes/change_edits.h"
#include "ui/pages/shared/changes/mask_brush.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/position_titles.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

/// Collects the changes of one view.
class OfferedChanges
{
public:
    explicit OfferedChanges(const ViewSnapshot& view)
        : m_view(view)
        , m_pair(resolve(view.selection, *view.a))
    {
    }

    void addAblation();
    void addMasks();
    void addPositions();
    void addExchange();
    void addUniformRow();

    std::vector<PossibleChange> take() { return std::move(m_offers); }

private:
    static QString tr(const char* text)
    {
        return QCoreApplication::translate("headscope::ui::OfferedChanges", text);
    }

    void add(const QString& title, const QString& meaning, const Changes& changes)
    {
        if (changes != m_view.changes)
            m_offers.push_back({title, meaning, title, changes});
    }

    void addMask(const QString& title, const QString& meaning, const MaskChange& mask)
    {
        Changes changes = m_view.changes;
        changes.mask = mask;
        add(title, meaning, changes);
    }

    QString token(int position) const
    {
        return labelsOf(m_view.a->queryTokens(m_view.selection.part), m_view.modelA)
            .value(position);
    }

    const ViewSnapshot& m_view;
    TokenPair m_pair;
    std::vector<PossibleChange> m_offers;
};

void OfferedChanges::addAblation()
{
    Changes changes = m_view.changes;
    changes.headsOff.push_back({m_view.selection.headId(), HeadOff::Method::Zero});
    add(tr("Ablate head %1").arg(headName(m_view.selection.headId())),
        tr("Replaces the head's output by zero"), changes);
}

/// Masks of the self-attention that B can change.
void OfferedChanges::addMasks()
{
    constexpr int kWindow = 4;
    MaskChange painted = paintableMask(m_view);
    if (painted.side < 2)
        return;
    for (int query = 1; query < painted.side; ++query)
        painted.cells[static_cast<std::size_t>(query) * static_cast<std::size_t>(painted.side)] = 0;
    addMask(tr("Block the first token"), tr("No later token attends to it, in all heads"), painted);
    const bool isCausal = maskOf(*m_view.a, m_view.selection.part).kind != HeatmapMask::Kind::None;
    if (isCausal)
        addMask(tr("Remove the causal mask"), tr("Each token attends to the whole text"),
                {MaskChange::Kind::None, kWindow, {}, 0});
    else
        addMask(tr("Causal mask"), tr("Each token attends to itself and to earlier tokens"),
                {MaskChange::Kind::Causal, kWindow, {}, 0});
    if (painted.side > kWindow)
        addMask(tr("Window of %1 tokens").arg(kWindow),
                tr("Each token attends to itself and a few tokens before it"),
                {MaskChange::Kind::Window, kWindow, {}, 0});
}

/// None, and the first other encoding that fits the model.
void OfferedChanges::addPositions()
{
    const auto offer = [this](const PositionTitle& encoding) {
        Changes changes = m_view.changes;
        changes.positions = PositionsChoice{encoding.kind};
        if (encoding.kind == m_view.modelB.model->config().positions ||
            !whyNot(m_view, *changes.positions).isEmpty())
            return false;
        add(tr("Positions: %1").arg(encoding.title), encoding.tip, changes);
        return true;
    };
    offer(positionTitle(Positions::None));
    for (const PositionTitle& encoding : positionTitles())
        if (encoding.kind != Positions::None && offer(encoding))
            return;
}

/// Exchanges the embeddings of the query and its key, where both are tokens of one text.
void OfferedChanges::addExchange()
{
    const TokenSequence* tokens = swappableTokens(m_view);
    const AttentionKind part = m_view.selection.part;
    if (part == AttentionKind::Cross || tokens != &m_view.a->queryTokens(part))
        return;
    const int first = m_pair.key != m_pair.query ? m_pair.key : m_pair.query - 1;
    if (first < 0 || m_pair.query < 0)
        return;
    ViewSnapshot view = m_view;
    const auto idAt = [tokens](int position) {
        return tokens->tokens.at(static_cast<std::size_t>(position)).id;
    };
    view.changes = withSwap(view, first, idAt(m_pair.query));
    add(tr("Exchange \u201C%1\u201D and \u201C%2\u201D").arg(token(first), token(m_pair.query)),
        tr("Exchanges their embeddings, not their positions"),
        withSwap(view, m_pair.query, idAt(first)));
}

void OfferedChanges::addUniformRow()
{
    if (m_pair.query < 0)
        return;
    add(tr("Uniform row of \u201C%1\u201D").arg(token(m_pair.query)),
        tr("Same weight for every key in head %1").arg(headName(m_view.selection.headId())),
        withUniformRow(m_view, m_pair.query));
}

} // namespace

std::vector<PossibleChange> possibleChanges(const ViewSnapshot& view)
{
    if (!view.a || !view.modelA.model || !view.modelB.model || view.a->tokens().tokens.empty())
        return {};
    OfferedChanges offers(view);
    offers.addAblation();
    offers.addMasks();
    offers.addPositions();
    offers.addExchange();
    offers.addUniformRow();
    return offers.take();
}

} // namespace headscope::ui
