#include "ui/window/dialogs/get_model_dialog.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/tables/fact_table.h"
#include "ui/window/frame/window_texts.h"
#include "ui/workers/models/model_search.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr QSize kFirstSize{720, 704};
constexpr int kTableHeight = 152;

QString pathText(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

/// Path with the user's home folder abbreviated, such as "~/models".
QString shortPath(QString path)
{
    const QString home = QDir::homePath() + u'/';
    return path.startsWith(home) ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

QString placesText(const ModelFolders& places)
{
    QStringList texts;
    for (const auto* list : {&places.folders, &places.hubCaches, &places.sitePackages})
        for (const std::filesystem::path& place : *list)
            texts << shortPath(pathText(place));
    texts.removeDuplicates();
    return texts.join(QStringLiteral(", "));
}

TextLabel* sentence(const QString& text)
{
    auto* label = new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2);
    label->setWordWrap(true);
    return label;
}

} // namespace

GetModelDialog::GetModelDialog(ModelSearch& search, QWidget* parent)
    : QDialog(parent)
    , m_search(search)
    , m_state(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text3))
    , m_installed(new FactTable(tr("Models on this machine")))
    , m_recipes(new QVBoxLayout)
    , m_places(new TextLabel({}, TextRole::Caption, TextLabel::Tone::Text2))
{
    setObjectName("getModel");
    setWindowTitle(tr("Get a model"));
    setAttribute(Qt::WA_DeleteOnClose);
    setSizeGripEnabled(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(8);
    makeInstalled(*column);
    column->addSpacing(8);
    column->addWidget(heading(tr("Install with pip")));
    column->addWidget(sentence(tr("Run one of these commands in a terminal, then choose Search "
                                  "again. No account is needed. Headscope itself downloads "
                                  "nothing.")));
    m_recipes->setSpacing(8);
    column->addLayout(m_recipes);
    makePlaces(*column);
    makeButtons(*column);
    resize(kFirstSize);
    connect(&search, &ModelSearch::started, this, &GetModelDialog::refresh);
    connect(&search, &ModelSearch::finished, this, &GetModelDialog::refresh);
    search.look();
    refresh();
    m_installed->setFocus();
}

void GetModelDialog::makeInstalled(QVBoxLayout& column)
{
    column.addLayout(
        rowOf(kStyleSpacing, {heading(tr("On this machine")), Placed::space(), m_state}));
    m_installed->setColumns({{tr("Model"), {}, 240, false, true},
                             {tr("Kind"), {}, 112},
                             {tr("Found in"), {}, 152},
                             {tr("Size"), {}, 96, true}});
    m_installed->setMinimumHeight(kTableHeight);
    connect(m_installed, &FactTable::rowOpened, this, &GetModelDialog::open);
    connect(m_installed, &FactTable::choiceChanged, this,
            [this] { m_open->setEnabled(!m_installed->currentId().isEmpty()); });
    column.addWidget(m_installed, 1);
}

void GetModelDialog::makePlaces(QVBoxLayout& column)
{
    column.addSpacing(8);
    column.addWidget(heading(tr("Any other model")));
    column.addWidget(sentence(tr("Copy a .gguf file, or a folder with config.json, "
                                 "model.safetensors and a tokenizer, to ~/models, or drop it "
                                 "on the window. Headscope searches:")));
    m_places->setTextFormat(Qt::PlainText);
    m_places->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_places->setAccessibleName(tr("Searched folders"));
    m_places->setWordWrap(true);
    column.addWidget(m_places);
}

void GetModelDialog::makeButtons(QVBoxLayout& column)
{
    auto* buttons = new QDialogButtonBox;
    m_open = buttons->addButton(tr("&Open"), QDialogButtonBox::ActionRole);
    m_open->setProperty("role", "primary");
    m_again = buttons->addButton(tr("&Search again"), QDialogButtonBox::ActionRole);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    for (QPushButton* button : {m_open, m_again, close})
        button->setAutoDefault(false); // Enter opens the selected row
    connect(m_open, &QPushButton::clicked, this, [this] { open(m_installed->currentId()); });
    connect(m_again, &QPushButton::clicked, &m_search, &ModelSearch::look);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    column.addSpacing(8);
    column.addWidget(buttons);
}

void GetModelDialog::open(const QString& path)
{
    if (path.isEmpty())
        return;
    emit modelWanted(path);
    close();
}

void GetModelDialog::refresh()
{
    m_again->setEnabled(!m_search.isReading());
    const ModelShelf shelf = m_search.shelf().value_or(ModelShelf());
    const auto found = static_cast<int>(shelf.installed.size());
    m_state->setText(m_search.isReading() ? tr("searching\u2026")
                     : found == 0         ? tr("none found")
                                          : count(found));
    std::vector<FactRow> rows;
    for (const InstalledModel& model : shelf.installed) {
        FactRow row;
        row.id = row.toolTip = pathText(model.path);
        row.texts = QStringList{sourceName(row.id), QString::fromStdString(model.kind),
                                QString::fromStdString(model.found), megabytes(model.bytes)};
        rows.push_back(std::move(row));
    }
    m_installed->setRows(std::move(rows));
    if (m_installed->currentId().isEmpty() && found > 0)
        m_installed->setChosen({m_installed->rows().front().id});
    m_open->setEnabled(!m_installed->currentId().isEmpty());
    m_places->setText(placesText(shelf.places));
    if (!m_search.isReading())
        refreshRecipes(shelf);
}

void GetModelDialog::refreshRecipes(const ModelShelf& shelf)
{
    while (QLayoutItem* item = m_recipes->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const CheckpointRecipe& found : shelf.recipes)
        m_recipes->addWidget(recipeRow(QString::fromStdString(found.recipe.name),
                                       QString::fromStdString(found.recipe.command),
                                       found.path ? pathText(*found.path) : QString()));
}

QWidget* GetModelDialog::recipeRow(const QString& name, const QString& command, const QString& path)
{
    auto* row = new QWidget;
    auto* label = new TextLabel(name, TextRole::Body);
    label->setStrong(true);
    label->setMinimumWidth(184);
    auto* field = new QLineEdit(command);
    field->setReadOnly(true);
    field->setCursorPosition(0);
    field->setToolTip(command);
    field->setAccessibleName(tr("Command for %1").arg(name));
    auto* button = new QPushButton(path.isEmpty() ? tr("Copy") : tr("Open"));
    button->setAutoDefault(false);
    button->setAccessibleName(path.isEmpty() ? tr("Copy command for %1").arg(name)
                                             : tr("Open %1").arg(name));
    if (path.isEmpty())
        connect(button, &QPushButton::clicked, this,
                [command] { QApplication::clipboard()->setText(command); });
    else
        connect(button, &QPushButton::clicked, this, [this, path] { open(path); });
    rowOf(8, {label, {field, 1}, button}, row);
    return row;
}

} // namespace headscope::ui
