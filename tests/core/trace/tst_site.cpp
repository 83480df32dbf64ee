#include "core/trace/trace.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>

using namespace headscope;

class TstSite : public QObject
{
    Q_OBJECT

private slots:
    void namesAreThoseOfTheField_data();
    void namesAreThoseOfTheField();
    void everyNameGoesBothWaysInEveryStack_data();
    void everyNameGoesBothWaysInEveryStack();
    void namesAreAllDifferent();
    void axesAreKnown();
    void strangeNamesAreNotSites_data();
    void strangeNamesAreNotSites();
    void globsMatch_data();
    void globsMatch();
};

void TstSite::namesAreThoseOfTheField_data()
{
    QTest::addColumn<int>("site");
    QTest::addColumn<int>("stack");
    QTest::addColumn<QString>("name");
    const auto row = [](Site site, const char* name, Stack stack = Stack::Blocks) {
        QTest::newRow(name) << static_cast<int>(site) << static_cast<int>(stack) << QString(name);
    };
    row(Site::Query, "blocks.11.attn.hook_q");
    row(Site::AttnScores, "blocks.11.attn.hook_attn_scores");
    row(Site::Pattern, "blocks.11.attn.hook_pattern");
    row(Site::Z, "blocks.11.attn.hook_z");
    row(Site::AttnOut, "blocks.11.hook_attn_out");
    row(Site::ResidMid, "blocks.11.hook_resid_mid");
    row(Site::MlpPre, "blocks.11.mlp.hook_pre");
    row(Site::MlpOut, "blocks.11.hook_mlp_out");
    row(Site::RotatedQuery, "blocks.11.attn.hook_rot_q");
    row(Site::RotatedKey, "blocks.11.attn.hook_rot_k");
    row(Site::Latent, "blocks.11.attn.hook_latent");
    row(Site::RouterProbs, "blocks.11.mlp.hook_router_probs");
    row(Site::MlpPreLinear, "blocks.11.mlp.hook_pre_linear");
    row(Site::NextSentence, "next_sentence_logits");
    row(Site::Pattern, "encoder.11.attn.hook_pattern", Stack::Encoder);
    row(Site::Embed, "encoder.hook_embed", Stack::Encoder);
    row(Site::LnFinal, "encoder.ln_final.hook_normalized", Stack::Encoder);
    row(Site::CrossPattern, "decoder.11.cross_attn.hook_pattern", Stack::Decoder);
    row(Site::CrossOut, "decoder.11.hook_cross_attn_out", Stack::Decoder);
    row(Site::ResidMidCross, "decoder.11.hook_resid_mid_cross", Stack::Decoder);
}

void TstSite::namesAreThoseOfTheField()
{
    QFETCH(int, site);
    QFETCH(int, stack);
    QFETCH(QString, name);
    const TraceKey key{static_cast<Site>(site), 11, static_cast<Stack>(stack)};
    QCOMPARE(headscope::toString(key), name.toStdString());
}

void TstSite::everyNameGoesBothWaysInEveryStack_data()
{
    QTest::addColumn<int>("stack");
    QTest::newRow("blocks") << static_cast<int>(Stack::Blocks);
    QTest::newRow("encoder") << static_cast<int>(Stack::Encoder);
    QTest::newRow("decoder") << static_cast<int>(Stack::Decoder);
}

void TstSite::everyNameGoesBothWaysInEveryStack()
{
    QFETCH(int, stack);
    for (int number = 0; number <= static_cast<int>(Site::Logits); ++number) {
        const auto site = static_cast<Site>(number);
        TraceKey key{site, isPerLayer(site) ? 10 : 0, static_cast<Stack>(stack)};
        const std::string name = headscope::toString(key);
        const std::optional<TraceKey> parsed = parseTraceKey(name);
        if (!isPerLayer(site) && key.stack == Stack::Decoder)
            key.stack = Stack::Blocks; // a decoder's sites outside its blocks have no prefix
        QVERIFY2(parsed && *parsed == key, name.c_str());
    }
}

void TstSite::namesAreAllDifferent()
{
    std::set<std::string> names;
    int count = 0;
    for (int number = 0; number <= static_cast<int>(Site::Logits); ++number) {
        for (const Stack stack : {Stack::Blocks, Stack::Encoder}) {
            names.insert(headscope::toString({static_cast<Site>(number), 0, stack}));
            ++count;
        }
    }
    QCOMPARE(static_cast<int>(names.size()), count);
}

void TstSite::axesAreKnown()
{
    for (const Site site : {Site::AttnScores, Site::Pattern, Site::CrossScores, Site::CrossPattern})
        QVERIFY(hasQueryRowsPerHead(site) && hasHeads(site) && !hasSourceRows(site));
    for (const Site site : {Site::Query, Site::RotatedKey, Site::Z, Site::CrossQuery, Site::CrossZ})
        QVERIFY(!hasQueryRowsPerHead(site) && hasHeads(site) && !hasSourceRows(site));
    for (const Site site : {Site::CrossKey, Site::CrossValue})
        QVERIFY(hasHeads(site) && hasSourceRows(site));
    for (const Site site : {Site::Latent, Site::RotaryKey, Site::CrossOut, Site::RouterProbs,
                            Site::ExpertWeights, Site::Logits})
        QVERIFY(!hasHeads(site) && !hasSourceRows(site));
    QVERIFY(isComputedAtOnce({Site::Pattern, 3, Stack::Encoder}));
    QVERIFY(isComputedAtOnce({Site::CrossKey, 3, Stack::Decoder}));
    QVERIFY(isComputedAtOnce({Site::NextSentence, 0}));
    QVERIFY(!isComputedAtOnce({Site::CrossPattern, 3, Stack::Decoder}));
    QVERIFY(!isComputedAtOnce({Site::Pattern, 3}));
}

void TstSite::strangeNamesAreNotSites_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"", "blocks.", "blocks.0", "blocks.0.", "blocks..hook_attn_out",
          "blocks.-1.hook_attn_out", "blocks.01.hook_attn_out", "blocks.99999999999.hook_attn_out",
          "blocks.0.logits", "hook_attn_out", "Logits", "blocks.0.attn.hook_pattern ",
          "blocks.+1.hook_attn_out", "encoder.", "encoder.blocks.0.hook_resid_pre",
          "decoder.logits", "encoder.0.logits", "blocks.0.encoder.hook_embed",
          "encoders.0.hook_resid_pre"})
        QTest::newRow(name) << name;
}

void TstSite::strangeNamesAreNotSites()
{
    QFETCH(QString, name);
    QVERIFY(!parseTraceKey(name.toStdString()));
}

void TstSite::globsMatch_data()
{
    QTest::addColumn<QString>("glob");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char* glob, const char* name, bool matches) {
        QTest::addRow("%s ~ %s", glob, name) << glob << name << matches;
    };
    row("*", "", true);
    row("*", "blocks.0.attn.hook_q", true);
    row("blocks.*.attn.hook_pattern", "blocks.12.attn.hook_pattern", true);
    row("blocks.*.attn.hook_pattern", "blocks.12.attn.hook_pattern2", false);
    row("blocks.?.attn.hook_q", "blocks.1.attn.hook_q", true);
    row("blocks.?.attn.hook_q", "blocks.12.attn.hook_q", false);
    row("*hook*pre", "blocks.0.hook_resid_pre", true);
    row("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false);
    row("logits", "logit", false);
    row("encoder.*", "encoder.hook_embed", true);
    row("*.cross_attn.hook_?", "decoder.3.cross_attn.hook_k", true);
    row("*.attn.hook_k", "decoder.3.cross_attn.hook_k", false);
    row("", "", true);
    row("", "x", false);
}

void TstSite::globsMatch()
{
    QFETCH(QString, glob);
    QFETCH(QString, name);
    QFETCH(bool, matches);
    QCOMPARE(matchesGlob(glob.toStdString(), name.toStdString()), matches);
}

HEADSCOPE_TEST(TstSite)
#include "tst_site.moc"
