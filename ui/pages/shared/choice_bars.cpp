#include "ui/pages/shared/choice_bars.h"

#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"

#include <QCoreApplication>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ChoiceBars", text);
}

QString partTitle(AttentionKind part)
{
    switch (part) {
    case AttentionKind::EncoderSelf:
        return tr("Encoder");
    case AttentionKind::DecoderSelf:
        return tr("Decoder");
    case AttentionKind::Cross:
        return tr("Cross");
    case AttentionKind::Self:
        break;
    }
    return tr("Self");
}

std::vector<AttentionKind> partsShown(const Looking& looking)
{
    if (looking.modelA.model)
        return looking.modelA.model->config().attentionKinds();
    return looking.trace() ? looking.trace()->attentionKinds() : std::vector<AttentionKind>();
}

QStringList textsOf(const SegmentBar& bar)
{
    QStringList texts;
    for (const QToolButton* button : bar.findChildren<QToolButton*>())
        texts << button->text();
    return texts;
}

} // namespace

void setUpRuns(SegmentBar& bar)
{
    bar.setSegments({{tr("A"), tr("As trained")},
                     {tr("B"), tr("With your changes")},
                     {tr("B\u2212A"), tr("What the changes moved")}});
    bar.setAccessibleName(tr("Run"));
    bar.hide();
}

void refreshRuns(SegmentBar& bar, const Looking& looking)
{
    bar.setVisible(!looking.changes.empty());
    const bool comparable = looking.isComparable();
    bar.setSegmentEnabled(2, comparable,
                          comparable ? tr("What the changes moved")
                                     : tr("A and B have different tokens: they cannot be "
                                          "subtracted"));
    bar.setCurrent(static_cast<int>(looking.shown));
}

void refreshParts(SegmentBar& bar, const Looking& looking)
{
    const std::vector<AttentionKind> parts = partsShown(looking);
    bar.setVisible(parts.size() > 1);
    std::vector<Segment> segments;
    QStringList titles;
    for (const AttentionKind part : parts) {
        segments.push_back({partTitle(part), {}});
        titles << partTitle(part);
    }
    if (titles != textsOf(bar))
        bar.setSegments(segments);
    bar.setAccessibleName(tr("Part of the model"));
    const auto found = std::find(parts.begin(), parts.end(), looking.selection.part);
    if (found != parts.end())
        bar.setCurrent(static_cast<int>(found - parts.begin()));
}

AttentionKind partAt(const Looking& looking, int segment)
{
    const std::vector<AttentionKind> parts = partsShown(looking);
    const auto index = static_cast<std::size_t>(std::max(segment, 0));
    return index < parts.size() ? parts[index] : looking.selection.part;
}

void setUpKinds(SegmentBar& bar)
{
    bar.setSegments({{tr("Weights"), tr("After softmax: each row sums to 1")},
                     {tr("Scores"), tr("Before softmax and mask")},
                     {tr("Value-weighted"), tr("Weight times the length of the value vector")}});
    bar.setAccessibleName(tr("What the map shows"));
}

void setUpMapKinds(ChoiceBox& box, const std::vector<MapKind>& kinds)
{
    for (const MapKind kind : kinds) {
        box.addItem(titleOf(kind), static_cast<int>(kind));
        box.setItemData(box.count() - 1, meaningOf(kind), Qt::ToolTipRole);
    }
    box.setPurpose(tr("What is shown in the place of attention"));
    box.setToolTip(tr("Attention itself, or an attribution on the same scale"));
}

MapKind mapKindOf(const ChoiceBox& box)
{
    return static_cast<MapKind>(box.currentData().toInt());
}

void setMapKind(ChoiceBox& box, MapKind kind)
{
    const QSignalBlocker blocker(box);
    box.setCurrentIndex(std::max(box.findData(static_cast<int>(kind)), 0));
}

} // namespace headscope::ui
