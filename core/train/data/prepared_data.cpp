#include "core/train/data/prepared_data.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/training/bpe_trainer.h"
#include "core/train/data/batch_file.h"
#include "core/train/data/masked_text_dataset.h"
#include "core/train/data/question_task.h"
#include "core/train/data/sequence_task.h"
#include "core/train/data/text_check.h"
#include "core/train/phrases/phrase_tokenizer.h"
#include "core/train/stories/story_grammar.h"

#include <fmt/format.h>

namespace headscope {

namespace {

using Progress = std::function<void(const std::string&)>;
using Done = std::function<void(double)>;

constexpr std::uint64_t kLargestText = std::uint64_t{4} << 30;

class Preparation
{
public:
    Preparation(const TrainingConfig& config, const Progress& progress, const Done& done,
                std::stop_token stop)
        : m_config(config)
        , m_data(config.data)
        , m_progress(progress)
        , m_done(done)
        , m_stop(std::move(stop))
    {
        m_result.model = config.model;
    }

    PreparedData run()
    {
        if (m_data.task >= TrainingTask::Reverse)
            prepareSequences();
        else if (m_data.task == TrainingTask::Repeat)
            prepareRepeat();
        else if (m_data.task == TrainingTask::Brackets || m_data.task == TrainingTask::Order)
            prepareQuestions();
        else if (m_data.task == TrainingTask::Stories || m_data.task == TrainingTask::Agreement)
            prepareStories();
        else if (!m_data.text.empty())
            prepareText(readText());
        else if (!m_data.batches.empty())
            prepareBatches();
        else
            throw Error("the configuration names no training data", "data",
                        "Set a task (such as \"stories\"), a text file or a batches file in "
                        "\"data\"");
        return std::move(m_result);
    }

private:
    void say(const std::string& what) const
    {
        throwIfStopped(m_stop);
        if (m_progress)
            m_progress(what);
    }

    void prepareStories()
    {
        const std::size_t bytes = m_data.bytes;
        const bool isStories = m_data.task == TrainingTask::Stories;
        say(fmt::format("writing {} bytes of {}", bytes, isStories ? "stories" : "sentences"));
        prepareText(isStories ? generateStories(m_data.seed, bytes)
                              : generateStories(StoryKind::Agree, m_data.seed, bytes));
    }

    std::string readText() const
    {
        say("reading " + m_data.text);
        std::string text = readFile(m_data.text, kLargestText);
        requireText(text, m_data.text);
        return text;
    }

    void prepareText(const std::string& text)
    {
        const auto documents = splitDocuments(text);
        if (documents.size() < 2)
            throw Error("the text has fewer than two documents", m_data.text,
                        "Separate documents by <|endoftext|>, blank lines or line ends");
        if (m_data.tokenizer.empty())
            trainTokenizer(documents);
        else
            setTokenizer(loadBpeTokenizer(m_data.tokenizer));
        say(fmt::format("encoding {} documents", documents.size()));
        if (m_config.objective == Objective::Masked)
            maskDocuments(documents);
        else
            runThrough(documents);
    }

    void requireBatch(std::int64_t tokens) const
    {
        headscope::requireBatch(tokens, m_config.batchSize, m_config.model.maxLen,
                                m_data.text.empty() ? "data" : m_data.text);
    }

    void maskDocuments(const std::vector<std::string_view>& documents)
    {
        MaskedTextSettings settings;
        settings.rows = m_config.batchSize;
        settings.length = m_config.model.maxLen;
        settings.pairs = m_config.model.nextSentence;
        settings.segments = m_config.model.tokenTypes > 0;
        settings.validationFraction = m_data.validationFraction;
        settings.validationBatches = m_data.validationFraction > 0.0 ? m_data.validationBatches : 0;
        const auto dataset =
            std::make_shared<MaskedTextDataset>(*m_result.tokenizer, documents, settings);
        requireBatch(dataset->trainingTokenCount());
        m_result.batches = dataset;
    }

    void runThrough(const std::vector<std::string_view>& documents)
    {
        const auto tokens = encodeDocuments(*m_result.tokenizer, documents, m_stop);
        TextDatasetSettings settings;
        settings.rows = m_config.batchSize;
        settings.length = m_config.model.maxLen;
        settings.validationFraction = m_data.validationFraction;
        settings.validationBatches = m_data.validationFraction > 0.0 ? m_data.validationBatches : 0;
        settings.repeatedRows = m_data.repeatedRows;
        m_result.text =
            std::make_shared<TextDataset>(tokens, *m_result.tokenizer->endOfText(), settings);
        m_result.batches = m_result.text;
        requireBatch(std::ssize(m_result.text->trainingTokens()));
    }

    /// Encoded texts begin with <|endoftext|>, or have [CLS] and [SEP] around them, like the rows
    /// of training.
    void trainTokenizer(const std::vector<std::string_view>& documents)
    {
        say(fmt::format("training a vocabulary of {} tokens", m_data.vocabularySize));
        BpeTrainerSettings settings;
        settings.vocabularySize = static_cast<std::size_t>(m_data.vocabularySize);
        settings.specialTokens = {std::string(kEndOfText)};
        const bool isMasked = m_config.objective == Objective::Masked;
        if (isMasked)
            settings.specialTokens = maskedTextSpecialTokens();
        const auto trained = trainBpe(
            documents, settings,
            [this](std::size_t merges, std::size_t wanted) {
                if (m_done)
                    m_done(static_cast<double>(merges) / static_cast<double>(wanted));
            },
            m_stop);
        if (trained->vocabularySize() < settings.vocabularySize)
            throw Error(fmt::format("the text is long enough for a vocabulary of {} tokens, "
                                    "not of {}",
                                    trained->vocabularySize(), settings.vocabularySize),
                        m_data.text,
                        fmt::format("Set a vocab_size up to {} in \"data\", or choose a "
                                    "longer text",
                                    trained->vocabularySize()));
        BpeVocabulary vocabulary = trained->vocabulary();
        vocabulary.textPrefix = {isMasked ? *trained->find(kClassToken) : 0};
        if (isMasked) {
            vocabulary.textSuffix = {*trained->find(kSeparatorToken)};
            takeSpaceBeforeMask(vocabulary);
        }
        setTokenizer(std::make_shared<const BpeTokenizer>(std::move(vocabulary)));
    }

    /// A token of a word includes the space before it, so a typed " [MASK]" does too.
    static void takeSpaceBeforeMask(BpeVocabulary& vocabulary)
    {
        for (AddedToken& token : vocabulary.addedTokens)
            token.takesSpaceBefore = token.content == kMaskToken;
    }

    void setTokenizer(std::shared_ptr<const BpeTokenizer> tokenizer)
    {
        const std::int64_t size = tokenizer->vocabularySize();
        std::int64_t& wanted = m_result.model.vocabularySize;
        if (wanted != 0 && wanted < size)
            throw Error(
                fmt::format("the model has vocab_size {}, the tokenizer {} tokens", wanted, size),
                "model", "Leave vocab_size out");
        if (wanted == 0)
            wanted = size;
        m_result.tokenizer = std::move(tokenizer);
    }

    void prepareRepeat()
    {
        setTokenizer(m_data.tokenizer.empty() ? symbolTokenizer()
                                              : loadBpeTokenizer(m_data.tokenizer));
        RepeatTaskSettings settings;
        settings.variant = m_data.variant;
        settings.rows = m_config.batchSize;
        settings.length = m_config.model.maxLen;
        settings.validationBatches = m_data.validationBatches;
        m_result.batches = std::make_shared<RepeatTask>(*m_result.tokenizer, settings);
    }

    void prepareQuestions()
    {
        setTokenizer(m_data.tokenizer.empty() ? symbolTokenizer()
                                              : loadBpeTokenizer(m_data.tokenizer));
        QuestionTaskSettings settings;
        settings.kind = m_data.task == TrainingTask::Order ? QuestionTaskKind::Order
                                                           : QuestionTaskKind::Brackets;
        settings.rows = m_config.batchSize;
        settings.shortest = m_data.minLength;
        settings.longest = m_data.maxLength;
        settings.validationBatches = m_data.validationBatches;
        m_result.batches =
            std::make_shared<QuestionTask>(*m_result.tokenizer, m_config.model.maxLen, settings);
    }

    void prepareSequences()
    {
        constexpr auto kFirst = static_cast<int>(TrainingTask::Reverse);
        if (!m_data.tokenizer.empty())
            setTokenizer(loadBpeTokenizer(m_data.tokenizer));
        else
            setTokenizer(m_data.task == TrainingTask::Phrases ? phraseTokenizer()
                                                              : sequenceTokenizer());
        SequenceTaskSettings settings;
        settings.kind = static_cast<SequenceTaskKind>(static_cast<int>(m_data.task) - kFirst);
        settings.rows = m_config.batchSize;
        settings.shortest = m_data.minLength;
        settings.longest = m_data.maxLength;
        settings.reversedSum = m_data.reversedSum;
        settings.validationBatches = m_data.validationBatches;
        m_result.batches =
            std::make_shared<SequenceTask>(*m_result.tokenizer, m_config.model.maxLen, settings);
    }

    void prepareBatches()
    {
        if (!m_data.tokenizer.empty())
            setTokenizer(loadBpeTokenizer(m_data.tokenizer));
        if (m_result.model.vocabularySize == 0)
            throw Error("the vocabulary size is unknown", m_data.batches,
                        "Set vocab_size in \"model\", or tokenizer in \"data\"");
        const auto file =
            std::make_shared<BatchFile>(m_data.batches, m_result.model.vocabularySize);
        if (file->steps() < m_config.steps)
            throw Error(
                fmt::format("the file has {} batches for {} steps", file->steps(), m_config.steps),
                m_data.batches, "Train for fewer steps");
        if (file->length() > m_config.model.maxLen)
            throw Error(fmt::format("rows of {} tokens do not fit a max_len of {}", file->length(),
                                    m_config.model.maxLen),
                        m_data.batches, "Set a larger max_len in \"model\"");
        m_result.batches = file;
    }

    const TrainingConfig& m_config;
    const DataSettings& m_data;
    const Progress& m_progress;
    const Done& m_done;
    std::stop_token m_stop;
    PreparedData m_result;
};

} // namespace

PreparedData prepareData(const TrainingConfig& config, const Progress& progress,
                         std::stop_token stop, const std::function<void(double)>& done)
{
    return Preparation(config, progress, done, std::move(stop)).run();
}

} // namespace headscope
