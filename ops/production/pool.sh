#!/bin/sh
# PgBouncer before the database, for the app role and that of identity. Its files hold passwords:
# they stand in memory, readable by nobody else.
set -eu
umask 077
folder=${POOL_FOLDER:-/tmp}
printf '"ampacity_app" "%s"\n"ampacity_identity" "%s"\n' "$APP_PASSWORD" "$IDENTITY_PASSWORD" \
    >"$folder/users.txt"
cat >"$folder/pgbouncer.ini" <<EOF
[databases]
ampacity = host=$DB_HOST port=$DB_PORT dbname=ampacity
[users]
; signing in: few ask, and not for long
ampacity_identity = max_user_connections=${IDENTITY_POOL_SIZE:-5}
[pgbouncer]
listen_addr = $POOL_ADDRESS
listen_port = $POOL_PORT
unix_socket_dir =
auth_type = scram-sha-256
auth_file = $folder/users.txt
; A server connection belongs to a client for one transaction.
pool_mode = transaction
default_pool_size = ${POOL_SIZE:-20}
max_client_conn = ${POOL_CLIENTS_MAX:-1000}
; Waiting longer than this for a connection is an error, not a queue.
query_wait_timeout = 30
server_idle_timeout = 300
; Whoever reads the statistics signs in as the app role.
stats_users = ampacity_app
log_connections = 0
log_disconnections = 0
EOF
exec pgbouncer "$folder/pgbouncer.ini"
