#include "ui/session/view_state.h"

#include "ui/session/open_models.h"

#include <algorithm>

namespace headscope::ui {

ViewState::ViewState(const OpenModels& models) : m_models(models) {}

void ViewState::activateHead(int layer, int head)
{
    Selection selection = m_selection;
    const OpenModels::GridSize grid = m_models.gridOf(selection.part);
    if (grid.layers == 0 || grid.heads == 0)
        return;
    selection.layer = std::clamp(layer, 0, grid.layers - 1);
    selection.head = std::clamp(head, 0, grid.heads - 1);
    if (!selection.pinned)
        selection.key = -1;
    moveTo(selection);
}

void ViewState::activatePart(AttentionKind part)
{
    const auto known = m_models.parts();
    if (part == m_selection.part || std::find(known.begin(), known.end(), part) == known.end())
        return;
    Selection selection; // tokens of one part do not exist in another
    selection.part = part;
    selection.head = m_selection.head;
    moveTo(selection);
}

HeadId ViewState::activeHead() const
{
    return m_selection.headId();
}

void ViewState::selectPair(int query, int key)
{
    Selection selection = m_selection;
    selection.query = query;
    selection.key = key;
    selection.pinned = true;
    moveTo(selection);
}

void ViewState::releasePair()
{
    Selection selection = m_selection;
    selection.query = selection.key = -1;
    selection.pinned = false;
    moveTo(selection);
}

void ViewState::moveTo(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    m_history.visit(selection);
    emit selectionChanged();
}

void ViewState::goBack()
{
    if (!m_history.canGoBack())
        return;
    m_selection = m_history.goBack();
    emit selectionChanged();
}

void ViewState::goForward()
{
    if (!m_history.canGoForward())
        return;
    m_selection = m_history.goForward();
    emit selectionChanged();
}

void ViewState::setShownVariant(Variant variant)
{
    const Variant possible = m_hasB ? variant : Variant::A;
    if (possible == m_shown)
        return;
    m_shown = possible;
    emit selectionChanged();
}

void ViewState::setColourMap(MapName map)
{
    if (map == m_colourMap)
        return;
    m_colourMap = map;
    emit colourMapChanged();
}

void ViewState::setDisplay(const TokenDisplay& display)
{
    if (display == m_display)
        return;
    m_display = display;
    emit displayChanged();
}

void ViewState::restart()
{
    m_selection = m_models.firstSelection();
    m_history = SelectionHistory(m_selection);
}

void ViewState::setHasB(bool hasB)
{
    m_hasB = hasB;
    if (!hasB)
        m_shown = Variant::A;
}

} // namespace headscope::ui
