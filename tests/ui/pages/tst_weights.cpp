#include "core/model/edits/edited_model.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/weights/weight_edit_box.h"
#include "ui/pages/weights/weights_figure.h"
#include "ui/pages/weights/weights_measurement.h"
#include "ui/pages/weights/weights_page.h"
#include "ui/session/changes/changes_json.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/bars/spectrum.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include <cmath>

using namespace headscope;
using namespace headscope::ui;

namespace {

using Target = WeightEditBox::Target;
using Action = WeightEditBox::Action;
using headscope::ui::test::childOf;

/// The page on a tiny model.
struct Fixture : ui::test::SessionFixture
{
    Fixture()
    {
        page = std::make_unique<WeightsPage>(session);
        page->resize(1100, 700);
        page->show();
        if (!QTest::qWaitFor([this] { return isCurrent() && page->isSettled(); }, 20000))
            qFatal("no weights");
    }

    bool settle()
    {
        return QTest::qWaitFor(
            [this] {
                QCoreApplication::processEvents();
                return isCurrent() && page->isSettled() && !session.models().isEditing();
            },
            20000);
    }

    void choose(const QString& matrix)
    {
        page->chooseMatrix(matrix);
        settle();
    }

    WeightEditBox& box() const { return childOf<WeightEditBox>(*page); }

    HeatmapWidget& map() const { return childOf<HeatmapWidget>(*page); }

    WeightsMeasurement& measurement() const { return childOf<WeightsMeasurement>(*page); }

    void chooseHeads(int first, int second)
    {
        childOf<QSpinBox>(box(), "editedHead").setValue(first);
        childOf<QSpinBox>(box(), "otherHead").setValue(second);
    }

    /// Sets the edit box and presses Apply.
    void apply(Target target, Action action, const QString& text = {})
    {
        box().setTarget(target);
        auto& kinds = childOf<QComboBox>(box(), "editKind");
        kinds.setCurrentIndex(kinds.findData(static_cast<int>(action)));
        childOf<QLineEdit>(box(), "editText").setText(text);
        for (QPushButton* button : box().findChildren<QPushButton*>())
            if (button->property("role") == "primary")
                QTest::keyClick(button, Qt::Key_Space);
        settle();
    }

    const Model& a() const { return *session.model().model; }

    const Model& b() const { return *session.models().second().model; }

    std::unique_ptr<WeightsPage> page;
};

float weightOf(const Model& model, const std::string& name, std::int64_t row, std::int64_t column)
{
    const auto matrices = weightMatrices(model.config());
    const WeightMatrix& matrix = findMatrix(matrices, name);
    const ParameterSpec& spec = model.parameters().specs()[matrix.parameter];
    return model.parameters().view(spec).data[matrix.cell(row, column)];
}

/// Logits of the last token.
std::vector<float> lastLogits(const TracePtr& trace)
{
    const TensorView all = trace->find({Site::Logits, 0})->view();
    const TensorView row = all[all.shape[0] - 1];
    return {row.data, row.data + row.shape[0]};
}

} // namespace

class TstWeights : public QObject
{
    Q_OBJECT

private slots:

    void afterAnEditUndoIsLeftToTheWindow()
    {
        Fixture f;
        f.choose("blocks.0.attn.W_Q");
        auto* text = f.box().findChild<QLineEdit*>();
        const auto takesUndo = [text] {
            QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            undo.ignore();
            QCoreApplication::sendEvent(text, &undo);
            return undo.isAccepted();
        };
        QTest::keyClicks(text, "2.5");
        QVERIFY(takesUndo());
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(f.settle());
        QCOMPARE(f.session.changes().weights.size(), std::size_t{1});
        QVERIFY(!takesUndo());
        QTest::keyClicks(text, "1");
        QVERIFY(takesUndo());
    }

    void everyMatrixIsOffered()
    {
        Fixture f;
        const auto boxes = f.page->findChildren<QComboBox*>();
        QComboBox* part = nullptr;
        QComboBox* matrix = nullptr;
        for (QComboBox* box : boxes) {
            part = box->accessibleName().startsWith("Part of the model") ? box : part;
            matrix = box->accessibleName().startsWith("Weight matrix") ? box : matrix;
        }
        QVERIFY(part && matrix);
        QStringList offered;
        for (int i = 0; i < part->count(); ++i) {
            f.choose(part->itemData(i).toString());
            for (int j = 0; j < matrix->count(); ++j)
                offered << matrix->itemData(j).toString();
        }
        QStringList all;
        for (const WeightMatrix& one : weightMatrices(f.a().config()))
            all << QString::fromStdString(one.name);
        offered.sort();
        all.sort();
        QCOMPARE(offered, all);
    }

    void theMapIsTheMatrix()
    {
        Fixture f;
        f.choose("blocks.1.attn.W_O");
        const HeatmapContent& map = f.map().content();
        const WeightMatrix& matrix = f.measurement().subject().matrix;
        QCOMPARE(map.matrix.rows, static_cast<int>(matrix.rows));
        QCOMPARE(map.matrix.columns, static_cast<int>(matrix.columns));
        for (int row = 0; row < map.matrix.rows; ++row)
            for (int column = 0; column < map.matrix.columns; ++column)
                QCOMPARE(map.matrix.at({row, column}),
                         weightOf(f.a(), "blocks.1.attn.W_O", row, column));
        QVERIFY(map.scale.isSigned());
        QCOMPARE(map.scale.low, -map.scale.high);
        QVERIFY(f.measurement().singularValues().size() ==
                static_cast<std::size_t>(std::min(matrix.rows, matrix.columns)));
        QVERIFY(f.page->findChild<SpectrumWidget*>()->isVisibleTo(f.page.get()));
    }

    void aTokenOfTheSentenceSelectsItsRow()
    {
        Fixture f;
        f.choose("W_E");
        QComboBox* token = nullptr;
        for (QComboBox* box : f.page->findChildren<QComboBox*>())
            token = box->accessibleName().startsWith("Token of the sentence") ? box : token;
        QVERIFY(token && token->isVisibleTo(f.page.get()));
        QVERIFY(token->count() > 1);
        token->setCurrentIndex(1);
        emit token->activated(1);
        QVERIFY(f.settle());
        const WeightLinePtr& line = f.measurement().line();
        QCOMPARE(line->index, token->itemData(1).toLongLong());
        for (std::size_t i = 0; i < line->values.size(); ++i)
            QCOMPARE(line->values[i],
                     weightOf(f.a(), "W_E", line->index, static_cast<std::int64_t>(i)));
        QVERIFY(!line->near.empty());
        QVERIFY(line->near.front().cosine >= line->near.back().cosine);
        f.choose("blocks.0.mlp.W_in");
        QVERIFY(!token->isVisibleTo(f.page.get()));
    }

    void oneWeightIsSetInB()
    {
        Fixture f;
        f.choose("blocks.0.attn.W_V");
        f.page->choosePlace(2, 3);
        QVERIFY(f.settle());
        f.apply(Target::Weight, Action::Set, "1.5");
        QCOMPARE(weightOf(f.b(), "blocks.0.attn.W_V", 2, 3), 1.5F);
        QVERIFY(weightOf(f.a(), "blocks.0.attn.W_V", 2, 3) != 1.5F);
        QTRY_COMPARE(f.map().content().matrix.at({2, 3}), 1.5F); // B is shown
        QVERIFY(lastLogits(f.session.traceA()) != lastLogits(f.session.traceB()));
        f.session.view().setShownVariant(Variant::Difference);
        const HeatmapContent& map = f.map().content();
        QTRY_COMPARE(map.matrix.at({0, 0}), 0.0F);
        for (int row = 0; row < map.matrix.rows; ++row)
            for (int column = 0; column < map.matrix.columns; ++column)
                QCOMPARE(map.matrix.at({row, column}) != 0.0F, row == 2 && column == 3);
    }

    void undoAndRedo()
    {
        Fixture f;
        f.choose("W_E");
        f.apply(Target::Row, Action::Zero);
        QCOMPARE(f.session.changes().weights.size(), std::size_t{1});
        f.apply(Target::Matrix, Action::Scale, "0.5");
        QCOMPARE(f.session.changes().weights.size(), std::size_t{2});
        const float scaled = weightOf(f.b(), "W_E", 5, 1);
        QCOMPARE(scaled, 0.5F * weightOf(f.a(), "W_E", 5, 1));
        f.session.document().undoStack().undo();
        QTRY_COMPARE(weightOf(f.b(), "W_E", 5, 1), weightOf(f.a(), "W_E", 5, 1));
        QCOMPARE(weightOf(f.b(), "W_E", 0, 1), 0.0F);
        f.session.document().undoStack().undo();
        QVERIFY(f.session.changes().empty());
        QCOMPARE(&f.b(), &f.a());
        f.session.document().undoStack().redo();
        f.session.document().undoStack().redo();
        QTRY_COMPARE(weightOf(f.b(), "W_E", 5, 1), scaled);
    }

    void settingTheSameWeightAgainReplacesTheEdit()
    {
        Fixture f;
        f.choose("W_E");
        f.apply(Target::Weight, Action::Set, "1");
        f.apply(Target::Weight, Action::Set, "2");
        QCOMPARE(f.session.changes().weights.size(), std::size_t{1});
        f.page->choosePlace(1, 1);
        f.apply(Target::Weight, Action::Set, "2");
        QCOMPARE(f.session.changes().weights.size(), std::size_t{2});
    }

    /// Zeroing a head's rows of W_O is the same as ablating the head.
    void aZeroedHeadIsAnAblatedOne()
    {
        Fixture f;
        f.choose("blocks.1.attn.W_O");
        f.box().setTarget(Target::Head);
        f.chooseHeads(1, 0);
        f.apply(Target::Head, Action::Zero);
        const std::vector<float> edited = lastLogits(f.session.traceB());
        Interventions ablation;
        ablation.ablatedHeads = {{1, 1}};
        const std::vector<float> ablated = lastLogits(f.run(f.session.text(), ablation));
        for (std::size_t i = 0; i < edited.size(); ++i)
            QVERIFY(std::abs(edited[i] - ablated[i]) < 1e-4F);
        QVERIFY(edited != lastLogits(f.session.traceA()));
    }

    void twoHeadsAreSwapped()
    {
        Fixture f;
        f.choose("blocks.0.attn.W_Q");
        f.chooseHeads(0, 1);
        f.apply(Target::TwoHeads, Action::Set);
        QCOMPARE(toString(f.session.changes().weights.front()),
                 std::string("blocks.0.attn[H0,H1]=swap"));
        const std::vector<float> a = lastLogits(f.session.traceA());
        const std::vector<float> b = lastLogits(f.session.traceB());
        for (std::size_t i = 0; i < a.size(); ++i)
            QVERIFY(std::abs(a[i] - b[i]) < 1e-4F);
        QVERIFY(f.b().parameters().view("h.0.attn.q.weight").data[0] !=
                f.a().parameters().view("h.0.attn.q.weight").data[0]);
    }

    void weightsAreTakenFromAnotherModel()
    {
        Fixture f;
        f.choose("blocks.0.mlp.W_in");
        f.apply(Target::Matrix, Action::Take, "other");
        const LoadedModel other = headscope::test::tinyModel(2);
        QTRY_COMPARE(weightOf(f.b(), "blocks.0.mlp.W_in", 3, 4),
                     weightOf(*other.model, "blocks.0.mlp.W_in", 3, 4));
    }

    void whatIsNoNumberIsRefusedAndChangesNothing()
    {
        Fixture f;
        QSignalSpy messages(f.page.get(), &Page::messageWanted);
        for (const char* text : {"", "x", "1e99", "nan"})
            f.apply(Target::Weight, Action::Set, text);
        f.apply(Target::Matrix, Action::Take, "");
        QCOMPARE(messages.count(), 5);
        QVERIFY(f.session.changes().empty());
    }

    /// A failed edit leaves A, and says why there is no B.
    void anEditThatCannotBeAppliedIsReported()
    {
        Fixture f;
        QSignalSpy errors(&f.session, &Session::errorRaised);
        Changes changes;
        WeightEdit edit = parseWeightEdit("W_E[0]=1,2");
        changes.weights = {edit};
        f.session.document().setChanges(changes, "edit");
        QTRY_VERIFY(!errors.isEmpty());
        QVERIFY(errors.first().first().toString().startsWith("2 values for"));
        QVERIFY(!f.session.models().isSecondReady());
        f.session.document().undoStack().undo();
        QTRY_VERIFY(f.isCurrent());
    }

    void editsAreDescribedRemovedAndStored()
    {
        Changes changes;
        for (const char* text : {"W_E[3,5]=0.25", "blocks.0.attn.W_O[H1]*=0", "W_E[:,2]*=2",
                                 "blocks.0.attn[H0,H1]=swap", "W_E=@other"})
            changes.weights.push_back(parseWeightEdit(text));
        const std::vector<ChangeText> texts = changes.texts();
        QCOMPARE(texts.size(), std::size_t{5});
        QCOMPARE(texts[0].scope, QString("W_E, row 3, column 5: set to 0.25"));
        QCOMPARE(texts[1].scope, QString("head 1 of blocks.0.attn.W_O: set to 0"));
        QCOMPARE(texts[2].scope, QString("W_E, column 2: times 2"));
        QCOMPARE(texts[3].scope, QString("heads 0 and 1 of blocks.0.attn swapped"));
        QCOMPARE(texts[4].scope, QString("W_E: from other"));
        QVERIFY(changesFromJson(toJson(changes), "session") == changes);
        const Changes disabled = changes.toggled(1);
        QCOMPARE(disabled.weights.size(), std::size_t{4});
        QVERIFY(changesFromJson(toJson(disabled), "session") == disabled);
        QCOMPARE(changes.without(2).weights.size(), std::size_t{4});
        QVERIFY(changes.without(2).weights[2] == changes.weights[3]);
    }

    void optionsAndFigureAreThoseOfThePage()
    {
        Fixture f;
        f.choose("blocks.1.mlp.W_out");
        f.page->choosePlace(4, 1);
        QVERIFY(f.settle());
        Fixture g;
        g.page->setOptions(f.page->options());
        QVERIFY(g.settle());
        QCOMPARE(g.page->options(), f.page->options());
        const Figure shown = f.page->figure();
        const Figure rendered = weightsFigure(f.session.viewSnapshot(), f.page->options());
        QCOMPARE(shown.numbers.size(), std::size_t{1});
        const HeatmapMatrix& one = shown.numbers[0].values;
        const HeatmapMatrix& two = rendered.numbers[0].values;
        QCOMPARE(one.rows, two.rows);
        for (int i = 0; i < one.rows * one.columns; ++i)
            QCOMPARE(one.values.get()[i], two.values.get()[i]);
    }

    void everyControlHasAName()
    {
        Fixture f;
        f.choose("blocks.0.attn.W_Q");
        for (const Target target : {Target::Weight, Target::Head, Target::TwoHeads}) {
            f.box().setTarget(target);
            for (QWidget* widget : f.page->findChildren<QWidget*>()) {
                if (!widget->isVisibleTo(f.page.get()) || !(widget->focusPolicy() & Qt::TabFocus) ||
                    widget->objectName().startsWith("qt_"))
                    continue;
                QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(widget);
                QVERIFY2(reader && !reader->text(QAccessible::Name).isEmpty(),
                         widget->metaObject()->className());
            }
        }
    }
};

HEADSCOPE_WINDOW_TEST(TstWeights)
#include "tst_weights.moc"
