#include "ui/session/changes/changes.h"

#include "core/model/config/mask_choice.h"
#include "core/model/edits/adapter_edit.h"
#include "ui/widgets/tr.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

QString quoted(const QString& text)
{
    constexpr int kLongest = 40;
    const QString shown = text.size() > kLongest ? text.left(kLongest) + QChar(0x2026) : text;
    return QStringLiteral("\u201C%1\u201D").arg(shown);
}

/// Step of a run's snapshot, or the file name of another model.
QString modelText(const QString& model)
{
    static const QRegularExpression snapshot(
        QStringLiteral("([^/]+)/checkpoints/step-([0-9]+)\\.safetensors$"));
    const QRegularExpressionMatch match = snapshot.match(model);
    if (match.hasMatch())
        return tr("step %1 of %2").arg(match.captured(2), match.captured(1));
    return model.section('/', -1);
}

/// Folder or file of an adapter.
QString adapterText(const QString& path)
{
    return path.section('/', -1, -1, QString::SectionSkipEmpty);
}

HeadId headOf(const PatternEdit& edit)
{
    return {attentionOf(edit.key), edit.key.layer, edit.head};
}

ChangeText wordsOf(const MaskChange& mask)
{
    return {tr("Mask"), mask.describe(), ChangeKind::Mask};
}

ChangeText wordsOf(const HeadOff& off)
{
    return {tr("Head %1").arg(headName(off.head)),
            off.method == HeadOff::Method::Mean ? tr("mean-ablated") : tr("ablated"),
            ChangeKind::Head};
}

ChangeText wordsOf(const PatternEdit& edit)
{
    const QString head = tr("head %1").arg(headName(headOf(edit)));
    if (!edit.keyToken)
        return {tr("Row %1").arg(edit.query), head, ChangeKind::Edit};
    return {tr("Weight %1 \u2192 %2").arg(edit.query).arg(*edit.keyToken),
            tr("%1 in %2").arg(double{edit.weights.at(0)}, 0, 'f', 3).arg(head), ChangeKind::Edit};
}

ChangeText wordsOf(const TokenSwap& swap, const TokenNames& nameOf)
{
    return {tr("Token %1").arg(swap.position),
            nameOf ? tr("embedding of %1").arg(quoted(nameOf(swap.id)))
                   : tr("embedding of id %1").arg(swap.id),
            ChangeKind::Swap};
}

ChangeText wordsOf(const CellPatch& patch)
{
    return {tr("Patch"),
            tr("%1, token %2 of A to %3 of B")
                .arg(QString::fromStdString(toString(patch.key)))
                .arg(patch.fromToken)
                .arg(patch.toToken),
            ChangeKind::Patch};
}

ChangeText wordsOf(const Freeze& freeze)
{
    const QString which = freeze.head ? tr("head %1").arg(headName(*freeze.head)) : tr("all heads");
    return {tr("Frozen"),
            tr("%1 as on %2").arg(which, quoted(QString::fromStdString(freeze.text.text))),
            ChangeKind::Freeze};
}

QString placeOf(const WeightEdit& edit)
{
    if (edit.head)
        return tr("head %1 of %2").arg(*edit.head).arg(QString::fromStdString(edit.matrix));
    if (edit.row && edit.column)
        return tr("%1, row %2, column %3")
            .arg(QString::fromStdString(edit.matrix))
            .arg(*edit.row)
            .arg(*edit.column);
    if (edit.row)
        return tr("%1, row %2").arg(QString::fromStdString(edit.matrix)).arg(*edit.row);
    if (edit.column)
        return tr("%1, column %2").arg(QString::fromStdString(edit.matrix)).arg(*edit.column);
    return QString::fromStdString(edit.matrix);
}

QString actionOf(const WeightEdit& edit)
{
    switch (edit.kind) {
    case WeightEdit::Kind::Scale:
        return edit.factor == 0.0 ? tr("set to 0") : tr("times %1").arg(edit.factor);
    case WeightEdit::Kind::Take:
        return tr("from %1").arg(modelText(QString::fromStdString(edit.checkpoint)));
    default:
        return edit.values.size() == 1 ? tr("set to %1").arg(double{edit.values.front()})
                                       : tr("%n new values", static_cast<int>(edit.values.size()));
    }
}

ChangeText wordsOf(const WeightEdit& edit)
{
    if (isAdapter(edit))
        return {tr("LoRA"), adapterText(QString::fromStdString(edit.checkpoint)),
                ChangeKind::Weights};
    if (edit.kind == WeightEdit::Kind::Swap)
        return {tr("Weights"),
                tr("heads %1 and %2 of %3 swapped")
                    .arg(edit.head.value_or(0))
                    .arg(edit.otherHead)
                    .arg(QString::fromStdString(edit.matrix)),
                ChangeKind::Weights};
    return {tr("Weights"), tr("%1: %2").arg(placeOf(edit), actionOf(edit)), ChangeKind::Weights};
}

template<class List>
bool takeAway(List& list, int& index)
{
    const auto size = static_cast<int>(list.size());
    if (index >= size) {
        index -= size;
        return false;
    }
    list.erase(list.begin() + index);
    return true;
}

std::vector<ChangeText> textInForce(const Changes& changes, const TokenNames& nameOf)
{
    std::vector<ChangeText> all;
    if (!changes.model.isEmpty())
        all.push_back({tr("Model"), modelText(changes.model), ChangeKind::Model});
    if (changes.text)
        all.push_back({tr("Sentence"), quoted(*changes.text), ChangeKind::Text});
    if (changes.target)
        all.push_back({tr("Target"), quoted(*changes.target), ChangeKind::Text});
    if (changes.mask.changesTheModel())
        all.push_back(wordsOf(changes.mask));
    if (changes.positions)
        all.push_back({tr("Positions"), QString::fromStdString(toString(*changes.positions)),
                       ChangeKind::Positions});
    const auto add = [&all](const auto& list) {
        for (const auto& entry : list)
            all.push_back(wordsOf(entry));
    };
    add(changes.headsOff);
    add(changes.weights);
    add(changes.edits);
    for (const TokenSwap& swap : changes.swaps)
        all.push_back(wordsOf(swap, nameOf));
    add(changes.patches);
    add(changes.freezes);
    return all;
}

Changes withoutInForce(const Changes& changes, int index)
{
    Changes rest = changes;
    const auto isThis = [&index](bool there) { return there && index-- == 0; };
    if (isThis(!rest.model.isEmpty()))
        rest.model.clear();
    else if (isThis(rest.text.has_value()))
        rest.text.reset();
    else if (isThis(rest.target.has_value()))
        rest.target.reset();
    else if (isThis(rest.mask.changesTheModel()))
        rest.mask = {};
    else if (isThis(rest.positions.has_value()))
        rest.positions.reset();
    else if (index >= 0)
        static_cast<void>(takeAway(rest.headsOff, index) || takeAway(rest.weights, index) ||
                          takeAway(rest.edits, index) || takeAway(rest.swaps, index) ||
                          takeAway(rest.patches, index) || takeAway(rest.freezes, index));
    return rest;
}

/// The change at `index` alone.
Changes onlyInForce(const Changes& changes, int index)
{
    Changes one = changes;
    one.aside.clear();
    for (auto other = static_cast<int>(textInForce(one, {}).size()) - 1; other >= 0; --other)
        if (other != index)
            one = withoutInForce(one, other);
    return one;
}

/// Entry of words() and its index, among the active changes or among the disabled ones.
struct Entry
{
    ChangeText words;
    int index = 0;
};

std::vector<Entry> entriesOf(const Changes& changes, const TokenNames& nameOf)
{
    std::vector<Entry> entries;
    for (ChangeText& words : textInForce(changes, nameOf))
        entries.push_back({std::move(words), static_cast<int>(entries.size())});
    for (std::size_t index = 0; index < changes.aside.size(); ++index) {
        for (ChangeText& words : textInForce(changes.aside[index], nameOf)) {
            words.aside = true;
            entries.push_back({std::move(words), static_cast<int>(index)});
        }
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.words.kind < b.words.kind; });
    return entries;
}

template<class Value>
void takeOver(Value& place, const Value& value)
{
    if (value != Value())
        place = value;
}

template<class Entry>
void append(std::vector<Entry>& list, const std::vector<Entry>& more)
{
    list.insert(list.end(), more.begin(), more.end());
}

/// Re-enables a change. Of a model, text, mask or positions only one can be active, so that the
/// current one is disabled.
Changes withOne(Changes changes, const Changes& one)
{
    const auto count = [](const Changes& of) { return textInForce(of, {}).size(); };
    Changes merged = changes;
    takeOver(merged.model, one.model);
    takeOver(merged.text, one.text);
    takeOver(merged.target, one.target);
    takeOver(merged.mask, one.mask);
    takeOver(merged.positions, one.positions);
    append(merged.headsOff, one.headsOff);
    append(merged.weights, one.weights);
    append(merged.edits, one.edits);
    append(merged.swaps, one.swaps);
    append(merged.patches, one.patches);
    append(merged.freezes, one.freezes);
    if (count(merged) > count(changes))
        return merged;
    for (int index = 0; index < static_cast<int>(count(changes)); ++index) {
        Changes given = onlyInForce(changes, index);
        const Changes taken = onlyInForce(merged, index);
        if (given != taken)
            merged.aside.push_back(std::move(given));
    }
    return merged;
}

} // namespace

QString headName(const HeadId& head)
{
    const QString kind = head.attention == AttentionKind::Cross         ? tr("cross ")
                         : head.attention == AttentionKind::EncoderSelf ? tr("encoder ")
                         : head.attention == AttentionKind::DecoderSelf ? tr("decoder ")
                                                                        : QString();
    return kind + QStringLiteral("%1.%2").arg(head.layer).arg(head.head);
}

bool Changes::isOff(const HeadId& head) const
{
    return std::any_of(headsOff.begin(), headsOff.end(),
                       [&head](const HeadOff& off) { return off.head == head; });
}

std::vector<ChangeText> Changes::texts(const TokenNames& nameOf) const
{
    std::vector<ChangeText> all;
    for (Entry& entry : entriesOf(*this, nameOf))
        all.push_back(std::move(entry.words));
    return all;
}

Changes Changes::without(int index) const
{
    const std::vector<Entry> entries = entriesOf(*this, {});
    if (index < 0 || index >= static_cast<int>(entries.size()))
        return *this;
    const Entry& entry = entries[static_cast<std::size_t>(index)];
    if (!entry.words.aside)
        return withoutInForce(*this, entry.index);
    Changes rest = *this;
    rest.aside.erase(rest.aside.begin() + entry.index);
    return rest;
}

Changes Changes::toggled(int index) const
{
    const std::vector<Entry> entries = entriesOf(*this, {});
    if (index < 0 || index >= static_cast<int>(entries.size()))
        return *this;
    const Entry& entry = entries[static_cast<std::size_t>(index)];
    Changes rest = without(index);
    if (entry.words.aside)
        return withOne(std::move(rest), aside[static_cast<std::size_t>(entry.index)]);
    rest.aside.push_back(onlyInForce(*this, entry.index));
    return rest;
}

QString Changes::describe() const
{
    QStringList parts;
    for (const ChangeText& change : textInForce(*this, {}))
        parts << (change.what == tr("Mask") ? change.scope
                                            : change.what + QLatin1Char(' ') + change.scope);
    return parts.join(tr(", "));
}

} // namespace headscope::ui
