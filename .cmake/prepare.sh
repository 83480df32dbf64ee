# Sourced by app/run and tests/run: reports each stage, installs missing packages, configures and builds.
# Expects $root (the checkout). Every stage can be repeated; a second run skips what is already done.

clock() { printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); } # clock SECONDS

# Announces a stage, after reporting how long the previous one took.
step() {
    [ -z "${stage_begun:-}" ] || printf '   took %s\n' "$(clock $((SECONDS - stage_begun)))"
    stage_begun=$SECONDS
    printf '\n== %s\n' "$*"
}
say() { printf '   %s\n' "$*"; }
give_up() {
    printf '\nheadscope: %s\n' "$*" >&2
    exit 1
}

# Debian and Ubuntu package names. .cmake/libraries.cmake explains what each is for.
console_packages=(g++ cmake ninja-build libeigen3-dev nlohmann-json3-dev libicu-dev libcli11-dev libfmt-dev
    opencl-headers ocl-icd-opencl-dev)
window_packages=(qt6-base-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qt6-charts-dev qt6-svg-dev
    libqt6opengl6-dev libgl1-mesa-dev libqt6svg6
    fonts-noto-core) # the window's font: symbols for control characters, Arabic, Hebrew
optional_packages=(libdnnl-dev ccache mold)
opencl_packages=(pocl-opencl-icd)
mpi_packages=(libopenmpi-dev openmpi-bin) # one training run distributed over several processes
desktop_packages=( # used by the tests of the real window (tests/desktop)
    xvfb                 # a virtual screen
    openbox              # a window manager: focus and dialogs as on a real desktop
    dbus                 # the session bus that the accessibility bus needs
    at-spi2-core         # the accessibility bus and its registry
    gir1.2-atspi-2.0     # a client that reads the window like a screen reader
    python3-gi           # ... from Python
    xdotool              # simulates key presses
    xclip                # sets the clipboard to text that cannot be typed
    x11-utils            # xprop: is the window manager running?
    poppler-utils        # pdftotext: is the text of a PDF extractable?
    fonts-wqy-microhei   # a small font with Chinese characters for PDF files
    desktop-file-utils   # is the desktop entry valid?
    appstream            # is the AppStream file valid?
)
python_packages=( # what the tests of the Python package (tests/app/python) run in
    python3-numpy
    python3-pytest
    python3-venv         # for python3-safetensors, which Debian 12 does not have
)
browser_packages=(chromium) # `tests/run --browser`: 120 MB to download, so only where it is asked for

is_installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
has_opencl_driver() { compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null; }
is_available() { apt-cache show "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        give_up "these packages are missing: ${missing[*]}. Install them as root (apt-get install ${missing[*]}), then run this again."
    fi
}

uses_apt() {
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1
}

install_packages() { # install_packages required... -- optional...
    local optional=0 name
    missing=()
    local extra=()
    for name in "$@"; do
        if [ "$name" = -- ]; then
            optional=1
        elif ! is_installed "$name"; then
            if [ $optional = 1 ]; then extra+=("$name"); else missing+=("$name"); fi
        fi
    done
    if [ ${#missing[@]} = 0 ] && [ ${#extra[@]} = 0 ]; then
        say "all packages are installed"
        return
    fi
    say "missing: ${missing[*]} ${extra[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        give_up "the package lists could not be updated. Check the network and /etc/apt/sources.list, then run this again."
    for name in "${extra[@]}"; do
        if is_available "$name"; then missing+=("$name"); else say "optional package $name is not available; continuing without it"; fi
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" ||
        give_up "installing failed (${missing[*]}). See the apt-get message above; Debian 12, Ubuntu 23.04 or newer is required."
}

# On other systems nothing is installed: missing libraries are listed with their purpose.
name_missing_libraries() {
    local lacking=() entry probe text
    for entry in "g++|a C++20 compiler" "cmake|CMake 3.25 or newer" "ninja|Ninja"; do
        command -v "${entry%%|*}" >/dev/null 2>&1 || lacking+=("${entry#*|}")
    done
    if command -v g++ >/dev/null 2>&1; then
        for entry in "Eigen/Core|Eigen 3.4" "nlohmann/json.hpp|nlohmann-json 3.11" "CLI/CLI.hpp|CLI11" \
            "fmt/format.h|fmt" "unicode/uchar.h|ICU" "CL/cl.h|OpenCL headers and loader"; do
            probe="${entry%%|*}"
            printf '#include <%s>\n' "$probe" | g++ -std=c++20 -I/usr/include/eigen3 -E -x c++ - >/dev/null 2>&1 ||
                lacking+=("${entry#*|}")
        done
    fi
    for entry in Qt6Widgets Qt6Charts Qt6Svg Qt6PrintSupport Qt6Test; do
        [[ " $* " == *" qt6-base-dev "* ]] || break # the command line alone
        find /usr /opt -name "${entry}Config.cmake" -print -quit 2>/dev/null | grep -q . || lacking+=("$entry 6.4 (development files)")
    done
    find /usr /opt -name Qt6LinguistToolsConfig.cmake -print -quit 2>/dev/null | grep -q . ||
        say "Qt Linguist's tools (lrelease) not found: the window will be in English only"
    [ ${#lacking[@]} = 0 ] && { say "all required libraries were found"; return; }
    printf '   not found: %s\n' "${lacking[@]}"
    give_up "this is not Debian or Ubuntu, so nothing was installed. Install the libraries listed above with your package manager, then run this again."
}

prepare() { # prepare PACKAGES... : in addition to those of the command line
    step "Checking the packages that Headscope needs"
    if uses_apt; then
        install_packages "${console_packages[@]}" "$@" -- "${optional_packages[@]}"
    else
        name_missing_libraries "$@"
    fi
    local found
    found=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p')
    [ "$(printf '3.25\n%s\n' "$found" | sort -V | head -n 1)" = 3.25 ] ||
        give_up "CMake 3.25 or newer is required, but ${found:-none} was found. Use Debian 12, Ubuntu 23.04 or newer."
}

jobs() { # at most one compiler per core and per 1.5 GiB of memory
    local cores memory
    cores=$(nproc 2>/dev/null || echo 2)
    memory=$(awk '/MemAvailable/ {print int($2 / 1572864)}' /proc/meminfo 2>/dev/null || echo "$cores")
    [ "${memory:-1}" -ge 1 ] || memory=1
    [ "$memory" -lt "$cores" ] && echo "$memory" || echo "$cores"
}

# The Python of tests/app/python: the system's, or build/python beside it with safetensors from PyPI. Without a network
# those tests are skipped.
prepare_python() {
    local needed='import numpy, pytest, safetensors.numpy'
    ! /usr/bin/python3 -c "$needed" >/dev/null 2>&1 || return 0
    ! "$root/build/python/bin/python3" -c "$needed" >/dev/null 2>&1 || return 0
    say "getting safetensors for the tests of the Python package"
    { /usr/bin/python3 -m venv --system-site-packages "$root/build/python" &&
        "$root/build/python/bin/pip" install -q --disable-pip-version-check safetensors; } >/dev/null 2>&1 &&
        "$root/build/python/bin/python3" -c "$needed" >/dev/null 2>&1 ||
        say "numpy, pytest or safetensors is not available here: the Python package will not be tested"
}

configure() { # configure PRESET [CMAKE ARGS...]
    local preset=$1
    shift
    local launcher=()
    if command -v ccache >/dev/null 2>&1; then
        export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$root # lets other checkouts and presets share objects
        export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime # precompiled headers
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    step "Configuring ($preset)"
    local log
    log=$(cd "$root" && cmake --preset "$preset" "${launcher[@]}" "$@" 2>&1) || {
        printf '%s\n' "$log" >&2
        give_up "configuring failed; see the lines above."
    }
    printf '%s\n' "$log" | sed -n 's/^-- \(.* not found: .*\)/   \1/p' # optional libraries that are missing
}

build() { # build PRESET [TARGETS...]
    local preset=$1
    shift
    step "Building ($preset, $(jobs) at a time)"
    (cd "$root" && cmake --build --preset "$preset" --parallel "$(jobs)" ${@:+--target "$@"}) ||
        give_up "building failed; see the lines above."
}
