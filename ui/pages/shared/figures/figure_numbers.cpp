// A figure's tables as files and as text.
#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/csv.h"
#include "core/io/npy.h"
#include "ui/pages/shared/figures/figure_file.h"

#include <cmath>

namespace headscope::ui {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> namesOf(const QStringList& names)
{
    std::vector<std::string> all;
    for (const QString& name : names)
        all.push_back(name.toStdString());
    return all;
}

NamedMatrix matrixOf(const NumberTable& table)
{
    const HeatmapMatrix& values = table.values;
    return {namesOf(table.rows), namesOf(table.columns),
            TensorView(values.values.get(), Shape{values.rows, values.columns})};
}

/// JSON has no NaN and no infinity.
Json jsonNumber(float value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json jsonOf(const NumberTable& table)
{
    Json rows = Json::array();
    bool isWhole = true;
    for (int row = 0; row < table.values.rows; ++row) {
        Json cells = Json::array();
        for (int column = 0; column < table.values.columns; ++column) {
            const float value = table.values.at({row, column});
            isWhole = isWhole && std::isfinite(value);
            cells.push_back(jsonNumber(value));
        }
        rows.push_back(std::move(cells));
    }
    Json json{{"name", table.name.toStdString()},
              {"rows", namesOf(table.rows)},
              {"columns", namesOf(table.columns)},
              {"values", std::move(rows)}};
    if (!isWhole)
        json["note"] = "null marks a value that is not finite, such as a masked score";
    return json;
}

std::string jsonText(const Figure& figure)
{
    Json tables = Json::array();
    for (const NumberTable& table : figure.numbers)
        tables.push_back(jsonOf(table));
    const Json json{{"format", "headscope-numbers"},
                    {"version", 1},
                    {"title", figure.title.toStdString()},
                    {"model", figure.subtitle.toStdString()},
                    {"sentence", figure.sentence.toStdString()},
                    {"caption", figure.caption.toStdString()},
                    {"tables", std::move(tables)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// File name of one table: "F-pattern.csv" of "F.csv" when there are several.
std::filesystem::path pathFor(const std::filesystem::path& path, const Figure& figure,
                              std::size_t index)
{
    if (figure.numbers.size() == 1)
        return path;
    std::string name;
    for (const QChar letter : figure.numbers[index].name.toLower())
        name += letter.isLetterOrNumber() && letter.unicode() < 128
                    ? static_cast<char>(letter.unicode())
                    : '-';
    if (name.empty())
        name = std::to_string(index + 1);
    for (std::size_t other = 0; other < index; ++other)
        if (figure.numbers[other].name == figure.numbers[index].name)
            name += "-" + std::to_string(index + 1);
    std::filesystem::path suffixed = path;
    return suffixed.replace_filename(path.stem().string() + "-" + name + path.extension().string());
}

} // namespace

std::vector<std::filesystem::path> numberFiles(const Figure& figure,
                                               const std::filesystem::path& path)
{
    const std::string ending = endingOf(path);
    if (ending != ".csv" && ending != ".npy" && ending != ".json")
        throw Error("cannot determine the format of the numbers", path.string(),
                    "End the name in .csv, .npy or .json");
    if (figure.numbers.empty())
        throw Error("this view has no numbers to export", path.string(),
                    "Run a text through a model first, or choose another view");
    if (ending == ".json")
        return {path};
    std::vector<std::filesystem::path> files;
    for (std::size_t index = 0; index < figure.numbers.size(); ++index)
        files.push_back(pathFor(path, figure, index));
    return files;
}

std::vector<std::filesystem::path> saveNumbers(const Figure& figure,
                                               const std::filesystem::path& path)
{
    const std::vector<std::filesystem::path> files = numberFiles(figure, path);
    const std::string ending = endingOf(path);
    if (ending == ".json")
        writeAtomically(path, jsonText(figure));
    for (std::size_t index = 0; ending != ".json" && index < files.size(); ++index) {
        const NamedMatrix matrix = matrixOf(figure.numbers[index]);
        if (ending == ".csv")
            saveCsv(files[index], matrix);
        else
            saveNpy(files[index], matrix.values);
    }
    return files;
}

QString numbersText(const Figure& figure)
{
    const auto plain = [](QString text) {
        return text.replace(QLatin1Char('\t'), QLatin1Char(' '))
            .replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    QStringList lines;
    for (const NumberTable& table : figure.numbers) {
        QStringList head{plain(table.name)};
        for (const QString& column : table.columns)
            head << plain(column);
        lines << head.join(QLatin1Char('\t'));
        for (int row = 0; row < table.values.rows; ++row) {
            QStringList cells{plain(table.rows.value(row, QString::number(row)))};
            for (int column = 0; column < table.values.columns; ++column)
                cells << QString::fromStdString(
                    headscope::exactNumber(table.values.at({row, column})));
            lines << cells.join(QLatin1Char('\t'));
        }
        lines << QString();
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace headscope::ui
