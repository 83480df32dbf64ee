#include "core/trace/trace.h"

#include <QTest>

using namespace headscope;

class TstSite : public QObject
{
    Q_OBJECT

private slots:
    void namesAreThoseOfTheField_data();
    void namesAreThoseOfTheField();
    void everyNameGoesBothWays();
    void strangeNamesAreNotSites_data();
    void strangeNamesAreNotSites();
    void globsMatch_data();
    void globsMatch();
    void hopelessGlobsAreKnown();
};

void TstSite::namesAreThoseOfTheField_data()
{
    QTest::addColumn<int>("site");
    QTest::addColumn<QString>("name");
    const auto row = [](Site site, const char* name) {
        QTest::newRow(name) << static_cast<int>(site) << QString(name);
    };
    row(Site::Query, "blocks.11.attn.hook_q");
    row(Site::AttnScores, "blocks.11.attn.hook_attn_scores");
    row(Site::Pattern, "blocks.11.attn.hook_pattern");
    row(Site::Z, "blocks.11.attn.hook_z");
    row(Site::AttnOut, "blocks.11.hook_attn_out");
    row(Site::ResidMid, "blocks.11.hook_resid_mid");
    row(Site::MlpPre, "blocks.11.mlp.hook_pre");
    row(Site::MlpOut, "blocks.11.hook_mlp_out");
}

void TstSite::namesAreThoseOfTheField()
{
    QFETCH(int, site);
    QFETCH(QString, name);
    QCOMPARE(headscope::toString({static_cast<Site>(site), 11}), name.toStdString());
}

void TstSite::everyNameGoesBothWays()
{
    for (int site = 0; site <= static_cast<int>(Site::Logits); ++site) {
        const TraceKey key{static_cast<Site>(site), isPerLayer(static_cast<Site>(site)) ? 10 : 0};
        const std::optional<TraceKey> parsed = parseTraceKey(headscope::toString(key));
        QVERIFY(parsed && *parsed == key);
    }
    QVERIFY(headscope::toString({Site::Logits, 0}) == "logits");
    QVERIFY(headscope::toString({Site::LnFinal, 0}) == "ln_final.hook_normalized");
}

void TstSite::strangeNamesAreNotSites_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"", "blocks.", "blocks.0", "blocks.0.", "blocks..hook_attn_out",
                             "blocks.-1.hook_attn_out", "blocks.01.hook_attn_out",
                             "blocks.99999999999.hook_attn_out", "blocks.0.logits", "hook_attn_out",
                             "Logits", "blocks.0.attn.hook_pattern ", "blocks.+1.hook_attn_out"})
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

void TstSite::hopelessGlobsAreKnown()
{
    QVERIFY(globCanMatchSite("blocks.1.*", 2));
    QVERIFY(!globCanMatchSite("blocks.2.*", 2));
    QVERIFY(!globCanMatchSite("blocks.*.attn.hook_patern", 2));
    QVERIFY(globCanMatchSite("logits", 0));
}

QTEST_GUILESS_MAIN(TstSite)
#include "tst_site.moc"
