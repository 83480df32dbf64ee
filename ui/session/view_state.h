#pragma once

#include "ui/session/looking.h"

#include <QObject>

namespace headscope::ui {

class OpenModels;

/// What the person looks at, and how. Nothing of it changes what is computed.
class ViewState : public QObject
{
    Q_OBJECT

public:
    explicit ViewState(const OpenModels& models, QObject* parent = nullptr);

    const Selection& selection() const { return m_selection; }

    void activateHead(int layer, int head); ///< of the active part
    void activatePart(AttentionKind part);
    HeadId activeHead() const;
    void selectPair(int query, int key); ///< pins it; -1 as in Selection
    void releasePair();

    bool canGoBack() const { return m_history.canGoBack(); }

    bool canGoForward() const { return m_history.canGoForward(); }

    void goBack();
    void goForward();

    Variant shownVariant() const { return m_shown; } ///< always A when nothing is changed

    void setShownVariant(Variant variant);

    MapName colourMap() const { return m_colourMap; } ///< of weights; differences have their own

    void setColourMap(MapName map);

    const TokenDisplay& display() const { return m_display; }

    void setDisplay(const TokenDisplay& display);

signals:
    void selectionChanged(); ///< or shownRun()
    void colourMapChanged();
    void displayChanged();

private:
    friend class Session; // which says itself that these have changed something

    void restart(); ///< at the first head, without a history
    void setHasB(bool hasB);

    void moveTo(const Selection& selection);

    const OpenModels& m_models;
    Selection m_selection;
    SelectionHistory m_history;
    bool m_hasB = false; // something is changed
    Variant m_shown = Variant::A;
    MapName m_colourMap = MapName::Depth;
    TokenDisplay m_display;
};

} // namespace headscope::ui
