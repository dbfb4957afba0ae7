#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paraview_root.sh - Debian's ParaView (python3-paraview, pvbatch) in a root of its own with all updates of Debian, libexpat1
# among them, whatever this machine has; also where libvtk9-dev is installed, with which it conflicts. With it
#
#   scripts/paraview_root.sh make /var/tmp/paraview
#   MDSIM_PARAVIEW_ROOT=/var/tmp/paraview python3 tests/run/viewers/test_paraview.py build/cpu/mdsim .
#
# is the full check of files for ParaView (docs/paraview.md). 400 MB to fetch, 2.2 GB on disk, four minutes to make.
#
#   paraview_root.sh make DIR                    build the root (at once where DIR is complete)
#   paraview_root.sh run  DIR SCRIPT.py [ARG...] run pvbatch on SCRIPT.py, under an Xvfb of its own inside the root
#   paraview_root.sh exec DIR COMMAND [ARG...]   run any command inside the root, in the same surroundings (no Xvfb)
#   paraview_root.sh drop DIR                    remove the root
#
# `run` and `exec` share the current directory (and every directory in PVROOT_BIND, ':'-separated) under the same
# path inside, so the same file names work on both sides. PVROOT_TIMEOUT: seconds before the run is killed (600).
# The mirror, its keyring and the Acquire:: options come from the host's apt when `make` runs.
# Needs root and CAP_SYS_ADMIN (mounts). Every mount is made in a private mount namespace and every process runs in a
# private pid namespace: when pvbatch ends, however it ends, the kernel takes both away. Nothing to unmount or kill.
set -euo pipefail
me=$(readlink -f "$0")
die() { echo "paraview_root: $*" >&2; exit 2; }
packages=(python3-paraview xvfb libgl1-mesa-dri fonts-dejavu-core)

make_root() {
    local dir=$1
    local stamp="v1 ${packages[*]} "
    if [ -f "$dir/.paraview-root" ] && [ "$(cat "$dir/.paraview-root")" = "$stamp" ]; then
        echo "paraview_root: $dir is ready"; return
    fi
    [ "$(id -u)" = 0 ] || die "make needs root"
    [ ! -e "$dir" ] || [ -f "$dir/.paraview-root" ] || [ -f "$dir/.paraview-root.partial" ] || [ -z "$(ls -A "$dir")" ] \
        || die "$dir exists and is not one of my roots"
    drop_root "$dir"
    [ -n "$(apt-get indextargets --format x 'Created-By: Packages')" ] && [ -n "$(apt-cache policy debootstrap)" ] || apt-get update -qq
    command -v debootstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
    # The host's own release, from the host's own apt configuration.
    local codename uri component keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    codename=$(. /etc/os-release; echo "$VERSION_CODENAME")
    read -r uri component < <(apt-get indextargets --format '$(CODENAME) $(REPO_URI) $(COMPONENT)' 'Created-By: Packages' \
        'Origin: Debian' | awk -v c="$codename" '$1 == c && $3 == "main" { print $2, $3; exit }') || true
    [ -n "${uri:-}" ] || die "the host's apt names no $codename/main (run apt-get update first)"
    mkdir -p "$dir"; : > "$dir/.paraview-root.partial"
    debootstrap --variant=minbase --keyring="$keyring" "$codename" "$dir" "$uri" > "$dir.log" 2>&1 \
        || { tail -20 "$dir.log" >&2; die "debootstrap failed, see $dir.log"; }
    # Every Debian target the host has (security and updates too), and how the host reaches them.
    apt-get indextargets --format "deb [signed-by=$keyring] \$(REPO_URI) \$(CODENAME) \$(COMPONENT)" \
        'Created-By: Packages' 'Origin: Debian' | sort -u > "$dir/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(https?|Check-|Retries|AllowInsecure)' > "$dir/etc/apt/apt.conf.d/90host" || true
    cp -L /etc/resolv.conf "$dir/etc/resolv.conf" 2>/dev/null || true
    cp -L /etc/hosts "$dir/etc/hosts" 2>/dev/null || true
    printf '#!/bin/sh\nexit 101\n' > "$dir/usr/sbin/policy-rc.d"; chmod 755 "$dir/usr/sbin/policy-rc.d"  # start no services
    printf 'path-exclude=/usr/share/%s/*\n' doc man locale info > "$dir/etc/dpkg/dpkg.cfg.d/90lean"
    enter "$dir" / /bin/sh -ec 'export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq; apt-get install -y -qq --no-install-recommends "$@"
        apt-get clean; rm -rf /var/lib/apt/lists/*' sh "${packages[@]}" >> "$dir.log" 2>&1 \
        || { tail -20 "$dir.log" >&2; die "apt-get in $dir failed, see $dir.log"; }
    rm -f "$dir/etc/apt/sources.list" "$dir/etc/apt/apt.conf.d/90host"     # the mirror stays the host's business
    echo "$stamp" > "$dir/.paraview-root"; rm -f "$dir/.paraview-root.partial"
    echo "paraview_root: made $dir ($(du -sxh "$dir" | cut -f1))"
}

drop_root() {
    [ -e "$1" ] || return 0
    [ -f "$1/.paraview-root" ] || [ -f "$1/.paraview-root.partial" ] || [ -z "$(ls -A "$1")" ] || die "$1 is not one of my roots"
    ! grep -q " $(readlink -f "$1")/" /proc/self/mounts || die "something is mounted below $1; not removing it"
    rm -rf --one-file-system "$1"
}

# enter DIR CWD COMMAND...: COMMAND in DIR, in mount, pid and ipc namespaces of its own
enter() {
    local dir=$1 cwd=$2 pid rc=0; shift 2
    [ "$(id -u)" = 0 ] || die "needs root"
    # unshare blocks SIGTERM, so signals are passed on here; if this script is killed outright, the death signal does it.
    PVROOT_DIR=$(readlink -f "$dir") PVROOT_CWD=$cwd setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --kill-child \
        --propagation private /bin/bash "$me" --inside "$@" <&0 & pid=$!
    trap 'kill -KILL $pid 2>/dev/null; wait $pid 2>/dev/null; exit 143' TERM INT HUP
    wait $pid || rc=$?
    trap - TERM INT HUP
    return $rc
}

inside() {              # pid 1 of the new namespaces, still in the host's file tree
    local r=$PVROOT_DIR d b
    mount --bind "$r" "$r"
    mount -t proc proc "$r/proc"
    mount -t sysfs -o ro sysfs "$r/sys" 2>/dev/null || mount --rbind /sys "$r/sys" 2>/dev/null || true   # hwloc looks there
    mount -t tmpfs -o mode=755 tmpfs "$r/dev"
    mkdir "$r/dev/shm" "$r/dev/pts"; mount -t tmpfs -o mode=1777 tmpfs "$r/dev/shm"
    for d in null zero full random urandom tty; do : > "$r/dev/$d"; mount --bind "/dev/$d" "$r/dev/$d"; done
    ln -s /proc/self/fd "$r/dev/fd"; ln -s fd/0 "$r/dev/stdin"; ln -s fd/1 "$r/dev/stdout"; ln -s fd/2 "$r/dev/stderr"
    mount -t tmpfs -o mode=1777 tmpfs "$r/tmp"; mount -t tmpfs -o mode=755 tmpfs "$r/run"
    local IFS=:
    for b in ${PVROOT_CWD} ${PVROOT_BIND:-}; do
        b=$(readlink -f "$b"); [ "$b" = / ] && continue
        case $b in /usr|/usr/*|/lib*|/bin*|/sbin*|/etc*|/dev*|/proc*|/sys*|/run|/var|/var/lib*|"$r") die "will not share $b";; esac
        mkdir -p "$r$b"; mount --bind "$b" "$r$b"
    done
    unset IFS
    # A clean environment: the host's PYTHONPATH, LD_*, OMPI_* and virtual environments must not leak in.
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 TERM="${TERM:-dumb}" \
        ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} ${no_proxy:+"no_proxy=$no_proxy"} \
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_plm=isolated \
        LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" \
        chroot "$r" /bin/sh -c 'cd "$1"; shift; "$@"; exit $?' sh "${PVROOT_CWD}" "$@"
}

# Inside the root: an Xvfb on the first free display number, then pvbatch. The pid namespace ends both.
render='(cd / && mkdir -p tmp/.X11-unix && chmod 1777 tmp/.X11-unix); mkfifo /run/display
Xvfb -displayfd 3 -screen 0 1280x1024x24 +extension GLX -nolisten tcp -nolisten local 3>/run/display 2>/run/xvfb.log &
read -r n < /run/display || { cat /run/xvfb.log >&2; exit 3; }
export DISPLAY=:$n
pvbatch "$@"'

command=${1:-}; shift || true
case $command in
    make) [ $# = 1 ] || die "make DIR"; make_root "$1" ;;
    drop) [ $# = 1 ] || die "drop DIR"; drop_root "$1" ;;
    run|exec)
        [ $# -ge 2 ] || die "$command DIR WHAT [ARG...]"
        dir=$1; shift
        [ -f "$dir/.paraview-root" ] || die "$dir is not ready: $0 make $dir"
        if [ "$command" = run ]; then
            [ -f "$1" ] || die "no script $1"
            script=$(readlink -f "$1"); shift
            export PVROOT_BIND=$(dirname "$script")${PVROOT_BIND:+:$PVROOT_BIND}
            set -- /bin/sh -c "$render" sh "$script" "$@"
        fi
        rc=0; enter "$dir" "$(pwd -P)" timeout --kill-after=10 "${PVROOT_TIMEOUT:-600}" "$@" || rc=$?
        exit $rc ;;
    --inside) inside "$@" ;;
    *) sed -n '3,22s/^# \?//p' "$0"; exit 2 ;;
esac
