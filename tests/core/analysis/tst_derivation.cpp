#include "core/analysis/derivation.h"
#include "core/base/error.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <random>
#include <set>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

class TstDerivation : public QObject
{
    Q_OBJECT

private slots:
    void everySiteFollowsFromItsOperands_data();
    void everySiteFollowsFromItsOperands();
    void theWayDownEndsAtWeights_data();
    void theWayDownEndsAtWeights();
    void anEditedNumberDisagrees();
    void cellsOutsideAreRefused();
};

namespace {

void addKinds()
{
    QTest::addColumn<ModelConfig>("config");
    for (const auto& [name, config] : tracedKinds())
        QTest::newRow(name.c_str()) << config;
}

NumberRef randomCell(const TraceKey& key, const Tensor& tensor, std::mt19937& random)
{
    NumberRef number{NumberRef::Kind::Activation, key, {}, {}};
    for (int axis = 0; axis < tensor.shape().rank(); ++axis)
        number.index.push_back(static_cast<std::int64_t>(random() % tensor.shape()[axis]));
    return number;
}

} // namespace

void TstDerivation::everySiteFollowsFromItsOperands_data()
{
    addKinds();
}

void TstDerivation::everySiteFollowsFromItsOperands()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    std::mt19937 random(3);
    int checked = 0;
    for (const auto& [key, tensor] : trace->activations()) {
        for (int round = 0; round < 4; ++round) {
            const NumberRef number = randomCell(key, *tensor, random);
            const Derivation derivation = derive(*trace, *model.model, number);
            QCOMPARE(derivation.recorded, [&] {
                TensorView view = tensor->view();
                std::int64_t offset = 0;
                for (int axis = 0; axis < view.shape.rank(); ++axis)
                    offset =
                        offset * view.shape[axis] + number.index[static_cast<std::size_t>(axis)];
                return double{view.data[offset]};
            }());
            if (!derivation.end.empty())
                continue;
            ++checked;
            QVERIFY2(derivation.agrees(2e-4),
                     qPrintable(QString("%1: recorded %2, recomputed %3 by %4")
                                    .arg(toString(number).c_str())
                                    .arg(derivation.recorded)
                                    .arg(derivation.recomputed)
                                    .arg(derivation.formula.c_str())));
            QVERIFY(!derivation.terms.empty());
        }
    }
    QVERIFY(checked > 8);
}

void TstDerivation::theWayDownEndsAtWeights_data()
{
    addKinds();
}

void TstDerivation::theWayDownEndsAtWeights()
{
    QFETCH(ModelConfig, config);
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 6, 5));
    std::mt19937 random(8);
    for (int walk = 0; walk < 10; ++walk) {
        const auto chosen = std::next(trace->activations().begin(),
                                      static_cast<long>(random() % trace->activations().size()));
        NumberRef number = randomCell(chosen->first, *chosen->second, random);
        int steps = 0;
        for (;; ++steps) {
            const Derivation derivation = derive(*trace, *model.model, number);
            if (!derivation.end.empty())
                break;
            std::vector<Factor> below;
            for (const Term& term : derivation.terms)
                below.insert(below.end(), term.factors.begin(), term.factors.end());
            QVERIFY(!below.empty());
            const Factor& next = below[random() % below.size()];
            QVERIFY(next.of != number);
            number = next.of;
            QVERIFY(steps < 200);
        }
    }
}

void TstDerivation::anEditedNumberDisagrees()
{
    const auto [name, config] = tracedKinds().front();
    const LoadedModel model = kindModel(config);
    Interventions off;
    const Stack stack = hasTwoStacks(config) ? Stack::Encoder : Stack::Blocks;
    off.ablatedHeads = {{0, 1, stack}};
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7), off);
    const NumberRef z{NumberRef::Kind::Activation, {Site::Z, 0, stack}, {}, {3, 1, 0}};
    const Derivation derivation = derive(*trace, *model.model, z);
    QCOMPARE(derivation.recorded, 0.0);
    QVERIFY(!derivation.agrees());
}

void TstDerivation::cellsOutsideAreRefused()
{
    const auto [name, config] = tracedKinds().front();
    const LoadedModel model = kindModel(config);
    const TracePtr trace = freshTrace(model, randomTexts(config, 5, 7));
    const auto& [key, tensor] = *trace->activations().begin();
    NumberRef number{NumberRef::Kind::Activation, key, {}, {}};
    for (int axis = 0; axis < tensor->shape().rank(); ++axis)
        number.index.push_back(tensor->shape()[axis]);
    QVERIFY_EXCEPTION_THROWN(derive(*trace, *model.model, number), ShapeError);
    number.index = {0};
    QVERIFY_EXCEPTION_THROWN(derive(*trace, *model.model, number), ShapeError);
}

QTEST_GUILESS_MAIN(TstDerivation)
#include "tst_derivation.moc"
