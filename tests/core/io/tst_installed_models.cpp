#include "core/io/installed_models.h"
#include "tests/support/gguf_models.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace headscope;

namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::string& content)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}

void writeHuggingFace(const fs::path& folder)
{
    write(folder / "config.json", "{}");
    write(folder / "model.safetensors", "12345");
}

} // namespace

class TstInstalledModels : public QObject
{
    Q_OBJECT

private slots:

    /// What a model's folder contains, such as the same weights in another form, belongs to it.
    void aModelIsFoundOnceAndNotSearched()
    {
        const QTemporaryDir temporary;
        const fs::path root = temporary.path().toStdString();
        writeHuggingFace(root / "bert");
        writeHuggingFace(root / "bert/onnx");
        fs::create_directory_symlink(root / "bert", root / "same");
        const std::string gguf = test::smallGguf();
        write(root / "files/llama.gguf", gguf);
        write(root / "files/deeper/llama.gguf", gguf);
        write(root / "files/empty.gguf", "");
        const auto models = installedModels({{}, {}, {root}});
        QCOMPARE(models.size(), std::size_t{2});
        QCOMPARE(models[0].path, root / "bert");
        QCOMPARE(models[0].kind, "Hugging Face");
        QCOMPARE(models[0].bytes, std::uint64_t{5});
        QCOMPARE(models[1].path, root / "files/llama.gguf");
        QCOMPARE(models[1].kind, "GGUF");
        QCOMPARE(models[1].bytes, std::uint64_t{gguf.size()});
    }
};

HEADSCOPE_TEST(TstInstalledModels)
#include "tst_installed_models.moc"
