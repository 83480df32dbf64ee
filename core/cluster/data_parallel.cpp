#include "core/cluster/data_parallel.h"

#include "core/model/config/model_config_json.h"
#include "core/train/trainer.h"

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

namespace headscope {

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Work of a follower, by value.
struct Order
{
    ModelConfig config;
    Batch batch;
    LossSettings loss;
    std::int64_t accumulate = 1;
    std::uint64_t seed = 0;
    std::int64_t step = 0;
    bool withGradients = true;
    std::int64_t parameters = 0;

    /// True when the same trainer can compute both.
    bool fits(const Order& other) const
    {
        return config == other.config && loss == other.loss && accumulate == other.accumulate &&
               seed == other.seed;
    }
};

nlohmann::json toJson(const Batch& batch)
{
    return {{"rows", batch.rows},
            {"length", batch.length},
            {"inputs", batch.inputs},
            {"targets", batch.targets},
            {"key_mask", batch.keyMask},
            {"segments", batch.segments},
            {"next_sentence", batch.nextSentence},
            {"mask", batch.mask},
            {"source_length", batch.sourceLength},
            {"sources", batch.sources},
            {"source_key_mask", batch.sourceKeyMask}};
}

Batch batchFrom(const nlohmann::json& json)
{
    Batch batch;
    json.at("rows").get_to(batch.rows);
    json.at("length").get_to(batch.length);
    json.at("inputs").get_to(batch.inputs);
    json.at("targets").get_to(batch.targets);
    json.at("key_mask").get_to(batch.keyMask);
    json.at("segments").get_to(batch.segments);
    json.at("next_sentence").get_to(batch.nextSentence);
    json.at("mask").get_to(batch.mask);
    json.at("source_length").get_to(batch.sourceLength);
    json.at("sources").get_to(batch.sources);
    json.at("source_key_mask").get_to(batch.sourceKeyMask);
    return batch;
}

Bytes encoded(const SharedPass& pass)
{
    return nlohmann::json::to_cbor({{"model", headscope::toJson(pass.config)},
                                    {"batch", toJson(pass.batch)},
                                    {"smoothing", pass.loss.labelSmoothing},
                                    {"convention", static_cast<int>(pass.loss.convention)},
                                    {"accumulate", pass.accumulate},
                                    {"seed", pass.seed},
                                    {"step", pass.step},
                                    {"gradients", pass.withGradients},
                                    {"parameters", pass.parameters.size()}});
}

Order decoded(const Bytes& bytes)
{
    const nlohmann::json json = nlohmann::json::from_cbor(bytes);
    Order order;
    order.config = modelConfigFromJson(json.at("model"), "rank 0");
    order.batch = batchFrom(json.at("batch"));
    json.at("smoothing").get_to(order.loss.labelSmoothing);
    order.loss.convention = static_cast<LabelSmoothing>(json.at("convention").get<int>());
    json.at("accumulate").get_to(order.accumulate);
    json.at("seed").get_to(order.seed);
    json.at("step").get_to(order.step);
    json.at("gradients").get_to(order.withGradients);
    json.at("parameters").get_to(order.parameters);
    return order;
}

void sendLength(Communicator& group, std::uint64_t length)
{
    group.broadcast(std::as_writable_bytes(std::span(&length, 1)));
}

void sumLosses(Communicator& group, PassLosses& losses)
{
    std::array<double, 4> sums{losses.token, losses.nextSentence, losses.balance,
                               static_cast<double>(losses.right)};
    group.sumToFirst(std::span<double>(sums));
    losses = {sums[0], sums[1], sums[2], static_cast<std::int64_t>(sums[3])};
}

/// Adds the sums of a follower's trainer to those of rank 0.
class FollowingRank final : public BatchPart
{
public:
    explicit FollowingRank(Communicator& group) : m_group(group) {}

    std::int64_t part() const override { return m_group.rank(); }

    std::int64_t parts() const override { return m_group.size(); }

    void begin(const SharedPass&) override {}

    void sum(std::span<float> gradients, PassLosses& losses) override
    {
        m_group.sumToFirst(gradients);
        sumLosses(m_group, losses);
    }

private:
    Communicator& m_group;
};

class Follower
{
public:
    Follower(Communicator& group, std::function<std::unique_ptr<AttentionBackend>()> makeBackend)
        : m_group(group)
        , m_batchPart(std::make_shared<FollowingRank>(group))
        , m_makeBackend(std::move(makeBackend))
    {
    }

    void run()
    {
        Bytes bytes;
        while (receive(bytes))
            compute(decoded(bytes));
    }

private:
    bool receive(Bytes& bytes)
    {
        std::uint64_t length = 0;
        m_group.broadcast(std::as_writable_bytes(std::span(&length, 1)));
        bytes.resize(length);
        if (length > 0)
            m_group.broadcast(std::as_writable_bytes(std::span(bytes)));
        return length > 0;
    }

    void compute(Order order)
    {
        m_values.resize(order.parameters);
        m_group.broadcast(std::as_writable_bytes(std::span(m_values)));
        if (!m_trainer || !m_order.fits(order))
            makeTrainer(order);
        m_order = std::move(order);
        m_trainer->setParameters(m_values, m_order.step);
        if (m_order.withGradients)
            m_trainer->computeGradients(m_order.batch);
        else
            m_trainer->measure(m_order.batch);
    }

    void makeTrainer(const Order& order)
    {
        Trainer::Settings settings;
        settings.loss = order.loss;
        settings.accumulate = order.accumulate;
        settings.seed = order.seed;
        settings.makeBackend = m_makeBackend;
        settings.batchPart = m_batchPart;
        TrainingState state;
        state.parameters = ParameterSet(order.config);
        m_trainer = std::make_unique<Trainer>(order.config, std::move(state), std::move(settings));
    }

    Communicator& m_group;
    std::shared_ptr<FollowingRank> m_batchPart;
    std::function<std::unique_ptr<AttentionBackend>()> m_makeBackend;
    std::vector<float> m_values;
    Order m_order;
    std::unique_ptr<Trainer> m_trainer;
};

} // namespace

LeadingRank::LeadingRank(Communicator& group) : m_group(group) {}

LeadingRank::~LeadingRank()
{
    try {
        sendLength(m_group, 0);
    } catch (...) { // they have ended already
    }
}

void LeadingRank::begin(const SharedPass& pass)
{
    Bytes bytes = encoded(pass);
    sendLength(m_group, bytes.size());
    m_group.broadcast(std::as_writable_bytes(std::span(bytes)));
    // broadcast() only reads the values of rank 0
    const std::span values(const_cast<float*>(pass.parameters.data()), pass.parameters.size());
    m_group.broadcast(std::as_writable_bytes(values));
}

void LeadingRank::sum(std::span<float> gradients, PassLosses& losses)
{
    m_group.sumToFirst(gradients);
    sumLosses(m_group, losses);
}

void followTraining(Communicator& group,
                    const std::function<std::unique_ptr<AttentionBackend>()>& makeBackend)
{
    try {
        Follower(group, makeBackend).run();
    } catch (const std::exception& error) {
        group.abort(error.what());
    }
}

} // namespace headscope
