#pragma once

#include "ui/session/view_snapshot.h"

#include <QObject>

namespace headscope::ui {

class OpenModels;

/// Selection and display options of the user. They do not affect the computation.
class ViewState : public QObject
{
    Q_OBJECT

public:
    explicit ViewState(const OpenModels& models);

    const Selection& selection() const { return m_selection; }

    void activateHead(int layer, int head); ///< Activates a head of the active part.
    void activatePart(AttentionKind part);
    HeadId activeHead() const;
    void selectPair(int query, int key); ///< Selects and pins a pair; -1 as in Selection.
    void releasePair();

    bool canGoBack() const { return m_history.canGoBack(); }

    bool canGoForward() const { return m_history.canGoForward(); }

    void goBack();
    void goForward();

    Variant shownVariant() const { return m_shown; } ///< Shown variant; always A without changes.

    void setShownVariant(Variant variant);

    /// Colour map of attention weights; differences have their own.
    MapName colourMap() const { return m_colourMap; }

    void setColourMap(MapName map);

    const TokenDisplay& display() const { return m_display; }

    void setDisplay(const TokenDisplay& display);

signals:
    void selectionChanged(); ///< Emitted when the selection or shownRun() has changed.
    void colourMapChanged();
    void displayChanged();

private:
    friend class Session; // Session emits some of these signals itself.

    void restart(); ///< Resets to the first head with an empty history.
    void setHasB(bool hasB);

    void moveTo(const Selection& selection);

    const OpenModels& m_models;
    Selection m_selection;
    SelectionHistory m_history;
    bool m_hasB = false; // True when there are changes.
    Variant m_shown = Variant::A;
    MapName m_colourMap = MapName::Depth;
    TokenDisplay m_display;
};

} // namespace headscope::ui
