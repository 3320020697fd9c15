#!/usr/bin/env bash
# The packages as others get them: makes those of Node, Python and Go, and uses each from an empty folder.
#
# It says what a test inside the repository cannot: that a package holds every file that it needs, its
# types too, and works where nothing else of the repository is. Everything happens in a folder of its own
# under /tmp. The tools that make Python's packages come from PyPI into .venv-clients the first time; after
# that nothing needs a network. (Swift's package is the repository itself.)
set -euo pipefail

clients=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$clients/../.." && pwd)
home=$(mktemp -d /tmp/entitld-pack-XXXXXX)
trap 'chmod -R u+w "$home" && rm -rf "$home"' EXIT
unset ENTITLD_SOCKET PYTHONPATH NODE_PATH GOFLAGS
export GOPROXY=off GOPATH="$home/gopath" GOWORK=off

fail() { echo "pack: $*" >&2; exit 1; }

# Fails unless each of the files after the first argument, a list, is in it.
holds() {
    local list=$1 file
    shift
    for file; do grep -qx "$file" <<<"$list" || fail "the package does not hold $file: $list"; done
}

# With npm as people do it; without (Debian's nodejs has none, and its npm needs hundreds of packages) by
# hand: the files that package.json names, in a folder `package`, as npm lays them out.
pack_node() {
    local files
    mkdir -p "$home/node/app"
    if command -v npm >/dev/null; then
        export npm_config_cache="$home/npm" npm_config_update_notifier=false
        (cd "$clients/node" && npm pack --silent --pack-destination "$home/node" >/dev/null)
    else
        echo "   without npm: the tarball is made by tar"
        (cd "$clients/node" && node -p 'require("./package.json").files.concat("package.json", "README.md").join("\n")') |
            tar czf "$home/node/entitld.tgz" -C "$clients/node" --transform 's,^,package/,' --files-from -
    fi
    files=$(tar tzf "$home"/node/*.tgz)
    holds "$files" package/package.json package/index.{js,mjs,d.ts,d.mts} package/types.d.ts
    cd "$home/node/app"
    echo '{ "name": "app", "private": true }' >package.json
    if command -v npm >/dev/null; then
        npm install --silent --offline --no-audit --no-fund "$home"/node/*.tgz
    else
        mkdir -p node_modules/entitld
        tar xzf "$home"/node/*.tgz -C node_modules/entitld --strip-components 1
    fi
    # Both transports, so that every file is loaded. Nobody listens: Unavailable is the right answer.
    cat >use.cjs <<'EOF'
const { Client, Unavailable } = require("entitld");
module.exports = { Client };
const places = [{ path: "/tmp/entitld-nobody" }, { url: "http://127.0.0.1:1", token: "t" }];
for (const place of places) {
  const client = new Client(place);
  client.ping({ timeoutMs: 20 }).then(
    () => process.exit(1),
    (error) => {
      if (!(error instanceof Unavailable)) throw error;
      client.close();
    },
  );
}
EOF
    cat >use.mjs <<'EOF'
import { Client, EntitldError, Unavailable, UnknownOutcome } from "entitld";
import other from "./use.cjs";
if (Client !== other.Client) throw new Error("import and require give two clients");
if (![Unavailable, UnknownOutcome].every((kind) => kind.prototype instanceof EntitldError)) process.exit(1);
EOF
    node use.cjs
    node use.mjs
    cp "$clients"/node/types-test/* .
    tsc --project .
}

pack_python() {
    local python=$root/.venv-clients/bin/python files
    [ -x "$python" ] || python3 -m venv "$root/.venv-clients"
    "$python" -I -c 'import build, mypy, setuptools, wheel' 2>/dev/null ||
        "$python" -m pip install -q build mypy setuptools wheel
    # A copy, because setuptools leaves its own files beside the sources.
    mkdir -p "$home/python/source" "$home/python/app"
    cp -r "$clients"/python/{entitld,pyproject.toml,README.md} "$home/python/source"
    find "$home/python/source" -name __pycache__ -prune -exec rm -r {} +
    # The wheel is made from the sdist, so both are tried.
    "$python" -m build --no-isolation --outdir "$home/python/dist" "$home/python/source" >"$home/python/log" 2>&1 ||
        fail "$(tail -n 20 "$home/python/log")"
    for files in "$(tar tzf "$home"/python/dist/*.tar.gz | sed 's,^[^/]*/,,')" \
        "$(cd "$home/python" && "$python" -m zipfile --list dist/*.whl | sed 's/ .*//')"; do
        holds "$files" entitld/__init__.py entitld/aio.py entitld/aio.pyi entitld/py.typed
    done
    cd "$home/python/app"
    "$python" -m venv venv
    venv/bin/pip install -q --disable-pip-version-check --no-index "$home"/python/dist/*.whl
    cat >use.py <<'EOF'
import asyncio, sys
import entitld, entitld.aio

assert entitld.__file__.startswith(sys.prefix), entitld.__file__
places = {"path": "/tmp/entitld-nobody"}, {"url": "http://127.0.0.1:1", "token": "t"}

async def ask(place):
    async with entitld.aio.AsyncClient(**place) as client:
        await client.ping(timeout=0.02)

for place in places:
    for call in (lambda: entitld.Client(**place).ping(timeout=0.02), lambda: asyncio.run(ask(place))):
        try:
            call()
        except entitld.Unavailable:
            continue
        sys.exit("somebody answered")
EOF
    venv/bin/python use.py
    # The types of the installed package: without py.typed and aio.pyi they are not seen.
    cp "$clients/python/types_test.py" .
    "$root/.venv-clients/bin/mypy" --no-error-summary --strict --cache-dir "$home/python/mypy" \
        --python-executable venv/bin/python types_test.py
}

# As the client's README says.
pack_go() {
    mkdir -p "$home/go/app/third_party"
    cp -r "$clients/go" "$home/go/app/third_party/entitld"
    cd "$home/go/app"
    cat >go.mod <<'EOF'
module app

go 1.19

require entitld v0.0.0
replace entitld => ./third_party/entitld
EOF
    cat >main.go <<'EOF'
package main

import (
	"context"
	"errors"
	"log"
	"time"

	"entitld"
)

func main() {
	for _, options := range []entitld.Options{
		{SocketPath: "/tmp/entitld-nobody"}, {URL: "http://127.0.0.1:1", Token: "t"},
	} {
		client, err := entitld.New(options)
		if err != nil {
			log.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, err = client.Ping(ctx, entitld.PingParams{})
		if unavailable := (*entitld.Unavailable)(nil); !errors.As(err, &unavailable) {
			log.Fatal("somebody answered: ", err)
		}
		client.Close()
	}
}
EOF
    go vet ./...
    go build -o app .
    ./app
}

for client in node python go; do
    begin=$(date +%s)
    ("pack_$client") # no `||` behind it: bash would then go on after a command that fails
    echo "== $client, $(($(date +%s) - begin)) s"
done
