#!/usr/bin/env bash
# PostgreSQL as postgres.sh's own process: durable as installed, with room for the table in memory.
#
#     postgres.sh BIN DIRECTORY
set -euo pipefail
command=("$1/postgres" -D "$2/data" -c listen_addresses= -c "unix_socket_directories=$2"
    -c shared_buffers=1GB -c max_connections=100)
[ "$(id -u)" != 0 ] || exec setpriv --reuid postgres --regid postgres --init-groups "${command[@]}"
exec "${command[@]}"
