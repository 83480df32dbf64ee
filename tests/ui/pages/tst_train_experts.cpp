#include "core/attention/cpu_attention.h"
#include "tests/support/golden.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "ui/pages/shared/stages/lab_panels.h"
#include "ui/pages/train/train_experts.h"

#include <QTest>

#include <memory>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

/// Training page of the tiny Mixtral.
TrainContent contentWithExperts()
{
    TrainContent content;
    LoadedModel& model = content.view.modelA;
    model.model = std::make_shared<const Model>(
        headscope::test::loadHuggingFaceModel(headscope::test::goldenDir() / "hf/mixtral"));
    TokenSequence tokens;
    tokens.text = "abcdefgh";
    for (std::size_t place = 0; place < tokens.text.size(); ++place)
        tokens.tokens.push_back({static_cast<TokenId>(3 + 5 * place), {place, place + 1}});
    Tracer tracer(model, std::make_unique<CpuAttention>());
    content.view.a = tracer.trace(tokens, TraceRequest::forViews());
    return content;
}

} // namespace

class TstTrainExperts : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    /// Charts and settings beside them keep their room.
    void expertsScrollInTheRoomOfThePage()
    {
        const TrainContent content = contentWithExperts();
        QVERIFY(TrainExperts::canShow(content));
        TrainExperts experts;
        experts.resize(470, 240);
        experts.show();
        experts.refresh(content);
        const auto& panels = childOf<LabPanels>(experts);
        QTRY_COMPARE(panels.boxes().size(), std::size_t{2});
        QTRY_VERIFY(panels.height() > 240);
        QVERIFY(experts.minimumSizeHint().height() < 240);
    }
};

HEADSCOPE_WINDOW_TEST(TstTrainExperts)
#include "tst_train_experts.moc"
