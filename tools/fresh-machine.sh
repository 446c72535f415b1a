#!/usr/bin/env bash
# Runs the suites on a fresh Debian that has what the README names and nothing else: once as it
# comes, once with DejaVu as its only fonts and with every variable that a machine may have set
# against us. Needs root, mmdebstrap and a Debian mirror. Arguments go to `npm test`.
#   npm run fresh-machine -- --only unit
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm
folder=${FRESH_MACHINE_DIR:-/var/tmp/sesame-fresh-machine}

not_run() { echo "NOT RUN: $1"; exit 2; }
[ "$(id -u)" = 0 ] || not_run 'a Debian root is made by root alone'
command -v mmdebstrap >/dev/null || not_run 'mmdebstrap is not installed (apt-get install mmdebstrap)'
command -v unshare >/dev/null || not_run 'unshare is not installed (apt-get install util-linux)'

mkdir -p "$folder"
base=$folder/$suite.tar
if [ ! -e "$base" ]; then
  echo "Making a Debian $suite with nodejs and npm…"
  mmdebstrap --quiet --aptopt='Acquire::Retries "3"' --variant=minbase --include=nodejs,npm "$suite" "$base.draft.tar" ||
    not_run 'no Debian root could be made: is a mirror reachable?'
  mv "$base.draft.tar" "$base"
fi

machine=$(mktemp -d "$folder/machine-XXXXXX")
trap 'rm -rf "$machine"' EXIT
chmod 755 "$machine"
tar -xpf "$base" -C "$machine"
# What Debian's installer writes, and mmdebstrap does not.
printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n' >"$machine/etc/hosts"
cp /etc/resolv.conf "$machine/etc/resolv.conf"
git clone --quiet --no-hardlinks "$repository" "$machine/sesame"

# How this machine reaches the registry is for the installation alone.
registry=()
while IFS='=' read -r name value; do
  case $name in
    npm_config_registry | npm_config_cafile | NODE_EXTRA_CA_CERTS | [Hh][Tt][Tt][Pp]*_[Pp][Rr][Oo][Xx][Yy] | [Nn][Oo]_[Pp][Rr][Oo][Xx][Yy])
      registry+=("$name=$value") ;;
  esac
done < <(env)
for file in "${NODE_EXTRA_CA_CERTS:-}" "${npm_config_cafile:-}"; do
  if [ -n "$file" ]; then install -D -m 644 "$file" "$machine/$file"; fi
done

# In a namespace of its own: what is mounted and what is started ends with the command.
in_machine() {
  env -i unshare --mount --pid --fork --kill-child bash -ec '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev" && mount --make-rslave "$0/dev"
    mkdir -p "$0/dev/shm"
    mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
    exec chroot "$0" "$@"' "$machine" "$@"
}
plain=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)

echo '── installing, as the first command does'
in_machine /usr/bin/env -i "${plain[@]}" "${registry[@]}" bash -c '
  cd /sesame && npm test --silent -- --only nothing >/dev/null
  test -e node_modules/.sesame-installed' || { echo 'The packages could not be installed.'; exit 1; }

failed=0
run() {
  echo "── $1"
  shift
  in_machine /usr/bin/env -i "$@" || failed=1
}
run 'a fresh Debian without fonts' "${plain[@]}" bash -c 'cd /sesame && exec npm test --silent -- "$@"' npm-test "$@"

in_machine /usr/bin/env -i "${plain[@]}" DEBIAN_FRONTEND=noninteractive bash -c '
  apt-get -o Acquire::Retries=3 update -qq && apt-get -o Acquire::Retries=3 install -y -qq --no-install-recommends fontconfig fonts-dejavu-core >/dev/null' ||
  not_run 'the fonts could not be installed'
# Programs of these names on the PATH answer nothing.
for name in psql postgres initdb chromium chromium-browser google-chrome fc-match; do
  printf '#!/bin/sh\nexit 1\n' >"$machine/usr/local/bin/$name"
  chmod 755 "$machine/usr/local/bin/$name"
done
against=(
  TZ=Pacific/Kiritimati LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8
  HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 ALL_PROXY=http://127.0.0.1:9
  http_proxy=http://127.0.0.1:9 npm_config_proxy=http://127.0.0.1:9 NODE_USE_ENV_PROXY=1
  PGHOST=db.invalid PGUSER=nobody PGOPTIONS='-c timezone=Asia/Tokyo' PGSSLMODE=require
  FORCE_COLOR=3 DEBUG='*' CI=true NODE_ENV=production
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
)
run 'a fresh Debian whose only fonts are DejaVu, everything else set against us, HOME unset' "${against[@]}" \
  bash -c 'umask 077 && cd /sesame && exec npm test --silent -- "$@"' npm-test "$@"
exit "$failed"
