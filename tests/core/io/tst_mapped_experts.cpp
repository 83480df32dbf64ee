#include "core/attention/cpu_attention.h"
#include "core/base/atomic_write.h"
#include "core/base/json_text.h"
#include "core/io/gguf/gguf_model.h"
#include "core/io/hugging_face/hugging_face.h"
#include "core/io/hugging_face/hugging_face_config.h"
#include "core/io/hugging_face/hugging_face_names.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "tests/support/gguf_models.h"
#include "tests/support/golden.h"
#include "tests/support/stored_weights.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

using namespace headscope;
using namespace headscope::test;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::int64_t kExperts = 6; ///< of which each token uses one
constexpr std::int64_t kWidth = 256;
constexpr std::int64_t kExpertWidth = 1024;

std::vector<std::int64_t> shapeInFile(const StoredWeight& weight, const Shape& shape)
{
    std::vector<std::int64_t> stored(shape.begin(), shape.end());
    stored.front() = weight.order.empty() ? stored.front() * weight.parts : weight.storedRows;
    if (weight.transposed)
        std::reverse(stored.begin(), stored.end());
    if (weight.slices > 0)
        stored.insert(stored.begin(), weight.slices);
    return stored;
}

/// The tensors of a file, by name, with the shapes that they have there.
std::map<std::string, std::vector<std::int64_t>> tensorsOf(const ModelConfig& config,
                                                           const std::vector<StoredWeight>& weights)
{
    std::map<std::string, std::vector<std::int64_t>> tensors;
    const std::vector<ParameterSpec> layout = parameterLayout(config);
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (!weights[i].names.empty())
            tensors.emplace(weights[i].names.front(), shapeInFile(weights[i], layout[i].shape));
    return tensors;
}

Tensor someNumbers(const std::vector<std::int64_t>& shape)
{
    Tensor tensor = shape.size() == 1   ? Tensor(Shape{shape[0]})
                    : shape.size() == 2 ? Tensor(Shape{shape[0], shape[1]})
                                        : Tensor(Shape{shape[0], shape[1], shape[2]});
    std::uint64_t state = tensor.size();
    for (float& value : tensor.values()) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<float>(static_cast<double>(state >> 40) * 0x1p-26 - 0.125);
    }
    return tensor;
}

/// A model of that golden folder's family, made larger.
StoredModel largeFolder(const fs::path& folder, const std::string& name)
{
    const fs::path original = goldenDir() / "hf" / name / "config.json";
    Json json = parseJson(readFile(original, 1 << 20), original.string());
    json["hidden_size"] = kWidth;
    json["intermediate_size"] = kExpertWidth;
    json["num_local_experts"] = kExperts;
    json["num_experts_per_tok"] = 1;
    writeAtomically(folder / "config.json", dumpJson(json));
    const ModelConfig config = huggingFaceConfig(json, {}, "config.json");
    std::set<std::string> stacked;
    if (name == "granitemoe")
        for (const char* const layer : {"0", "1"})
            stacked.insert(std::string("layers.") + layer +
                           ".block_sparse_moe.input_linear.weight");
    SafetensorsWriter writer;
    std::vector<Tensor> kept;
    const auto tensors = tensorsOf(config, storedWeights(json.at("model_type"), config, stacked));
    kept.reserve(tensors.size());
    for (const auto& [tensor, shape] : tensors) {
        kept.push_back(someNumbers(shape));
        writer.add(tensor, kept.back().view());
    }
    writer.write(folder / "model.safetensors");
    return findHuggingFaceModel(folder);
}

StoredModel largeGguf(const fs::path& folder)
{
    ModelConfig config = ggufTestConfig("llama");
    config.rope.layout = RopeSettings::Layout::Half;
    config.queryKeyNorm = QueryKeyNorm::PerHead;
    config.dFf = kExpertWidth;
    config.experts.count = kExperts;
    config.experts.topK = 1;
    GgufBuilder builder = ggufMetadata("qwen3moe", config);
    builder.number("qwen3moe.expert_count", static_cast<std::uint32_t>(kExperts));
    builder.number("qwen3moe.expert_used_count", std::uint32_t{1});
    builder.number("qwen3moe.expert_feed_forward_length", static_cast<std::uint32_t>(kExpertWidth));
    for (const auto& [tensor, shape] : tensorsOf(config, ggufWeights("qwen3moe", config, {}))) {
        std::int64_t rows = 1;
        for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
            rows *= shape[axis];
        const StoredParameter stored = shape.size() == 1
                                           ? storedFloats(someNumbers(shape))
                                           : randomBlocks(BlockFormat::Q8_0, rows, shape.back(),
                                                          static_cast<std::uint64_t>(rows));
        builder.tensor(tensor, shape, layoutOf(stored.format).ggmlType,
                       {reinterpret_cast<const char*>(stored.bytes.data()), stored.bytes.size()});
    }
    const fs::path path = folder / "model.gguf";
    writeAtomically(path, builder.bytes());
    return findGgufModel(GgufFile::open(path));
}

/// Which experts a text uses, by layer.
class Routes : public ActivationObserver
{
public:
    bool wants(TraceKey key) const override { return key.site == Site::ExpertWeights; }

    void record(TraceKey key, TensorView weights, std::int64_t) override
    {
        for (std::int64_t token = 0; token < weights.shape[0]; ++token)
            for (std::int64_t expert = 0; expert < weights.shape[1]; ++expert)
                if (weights(token, expert) != 0.0F)
                    m_used.insert({key.layer, expert});
    }

    bool uses(const std::string& parameter) const // "h.1.expert.4.gate.weight"
    {
        const std::size_t expert = parameter.find(".expert.");
        return m_used.contains({std::stoll(parameter.substr(2)),
                                std::stoll(parameter.substr(expert + std::strlen(".expert.")))});
    }

    std::size_t count() const { return m_used.size(); }

private:
    std::set<std::pair<std::int64_t, std::int64_t>> m_used;
};

/// Sees which pages of a mapped file are read: all are forbidden, and a fault allows one of them.
/// (The kernel's own page map does not tell: around a page that is read it maps others.)
class ReadPages
{
public:
    explicit ReadPages(std::span<const std::byte> mapping)
        : m_first(addressOf(mapping) / pageSize())
        , m_read((mapping.size() + pageSize() - 1) / pageSize())
    {
        s_current = this;
        struct sigaction action = {};
        action.sa_sigaction = allow;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGSEGV, &action, &m_before);
        protect(PROT_NONE, 0, m_read.size());
    }

    ~ReadPages()
    {
        protect(PROT_READ, 0, m_read.size());
        ::sigaction(SIGSEGV, &m_before, nullptr);
    }

    ReadPages(const ReadPages&) = delete;
    ReadPages& operator=(const ReadPages&) = delete;

    struct Count
    {
        std::int64_t whole = 0; ///< pages that contain nothing else
        std::int64_t read = 0;  ///< of those
    };

    Count countOf(std::span<const std::byte> bytes) const
    {
        const std::size_t first = (addressOf(bytes) + pageSize() - 1) / pageSize() - m_first;
        const std::size_t last = (addressOf(bytes) + bytes.size()) / pageSize() - m_first;
        Count count;
        for (std::size_t page = first; page < last; ++page) {
            ++count.whole;
            count.read += m_read[page] ? 1 : 0;
        }
        return count;
    }

private:
    static std::size_t pageSize() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

    static std::uintptr_t addressOf(std::span<const std::byte> bytes)
    {
        return reinterpret_cast<std::uintptr_t>(bytes.data());
    }

    void protect(int protection, std::size_t page, std::size_t count) const
    {
        ::mprotect(reinterpret_cast<void*>((m_first + page) * pageSize()), count * pageSize(),
                   protection);
    }

    static void allow(int, siginfo_t* info, void*)
    {
        ReadPages& pages = *s_current;
        const std::size_t page =
            reinterpret_cast<std::uintptr_t>(info->si_addr) / pageSize() - pages.m_first;
        if (page >= pages.m_read.size()) { // a real crash, once more without this handler
            ::sigaction(SIGSEGV, &pages.m_before, nullptr);
            return;
        }
        pages.m_read[page] = true;
        pages.protect(PROT_READ, page, 1);
    }

    static inline ReadPages* s_current = nullptr;

    std::size_t m_first; ///< Number of the mapping's first page.
    std::vector<std::atomic<bool>> m_read;
    struct sigaction m_before = {};
};

} // namespace

class TstMappedExperts : public QObject
{
    Q_OBJECT

private slots:

    void expertsThatNoTokenUsesAreNotRead_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("safetensors, one by one") << "mixtral";
        QTest::newRow("safetensors, all in one tensor") << "granitemoe";
        QTest::newRow("safetensors, transposed") << "gpt_oss";
        QTest::newRow("GGUF") << "";
    }

    void expertsThatNoTokenUsesAreNotRead()
    {
        QFETCH(const QString, name);
        const QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        const StoredModel stored =
            name.isEmpty() ? largeGguf(path) : largeFolder(path, name.toStdString());
        const std::vector<ParameterSpec> layout = parameterLayout(stored.config);
        const Model model = makeModel(stored);
        const ReadPages pages(stored.tensors.front().file->bytes());
        model.pack();
        Routes routes;
        const auto checkAll = [&] {
            for (std::size_t i = 0; i < layout.size(); ++i) {
                const std::string& part = layout[i].name;
                if (part.find(".expert.") == std::string::npos || !part.ends_with(".weight"))
                    continue;
                const auto [whole, read] = pages.countOf(stored.parameters[i].bytes);
                const std::string what = fmt::format("{}: {} of {} pages", part, read, whole);
                QVERIFY2(whole > 60 && read == (routes.uses(part) ? whole : 0), what.c_str());
            }
        };
        checkAll();
        CpuAttention backend;
        KvCache cache(stored.config);
        const std::vector<TokenId> ids{5, 17, 40};
        model.forward(ids, backend, cache, &routes);
        QVERIFY(routes.count() >= 2 && routes.count() <= 6); // of 12, one a token and layer
        checkAll();
    }
};

HEADSCOPE_TEST(TstMappedExperts)
#include "tst_mapped_experts.moc"
