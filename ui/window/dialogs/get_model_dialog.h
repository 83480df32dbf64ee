#pragma once

#include <QDialog>

class QPushButton;
class QVBoxLayout;

namespace headscope::ui {

class FactTable;
class ModelSearch;
class TextLabel;
struct ModelShelf;

/// Dialog that lists the models on this machine, commands that install more, and the folders
/// searched. Downloads nothing.
class GetModelDialog : public QDialog
{
    Q_OBJECT

public:
    GetModelDialog(ModelSearch& search, QWidget* parent);

signals:
    void modelWanted(const QString& path);

private:
    void refresh();
    void refreshRecipes(const ModelShelf& shelf);
    QWidget* recipeRow(const QString& name, const QString& command, const QString& path);
    void makeInstalled(QVBoxLayout& column);
    void makePlaces(QVBoxLayout& column);
    void makeButtons(QVBoxLayout& column);
    void open(const QString& path);

    ModelSearch& m_search;
    TextLabel* m_state;
    FactTable* m_installed;
    QVBoxLayout* m_recipes;
    TextLabel* m_places;
    QPushButton* m_open = nullptr;
    QPushButton* m_again = nullptr;
};

} // namespace headscope::ui
