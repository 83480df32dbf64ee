# Turns the releases of the AppStream file, as `appstreamcli metainfo-to-news --format text` prints them, into a
# Debian changelog. Needs -v maintainer='NAME <ADDRESS>'.
function finish() {
    if (version == "")
        return
    command = "LC_ALL=C date --utc --rfc-email --date=" date
    command | getline stamp
    close(command)
    printf "headscope (%s) unstable; urgency=medium\n\n%s\n -- %s  %s\n", version, entries, maintainer, stamp
}
/^Version / {
    finish()
    if (version != "")
        print ""
    version = $2
    entries = ""
    next
}
/^Released: / { date = $2; next }
/^~*$/ { next }
{
    sub(/^ *[*-]? */, "")
    entries = entries "  * " $0 "\n"
}
END { finish() }
