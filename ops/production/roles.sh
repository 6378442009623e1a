#!/bin/sh
# Run once by the postgres image on an empty volume: owner, app, backup, identity and operator roles.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
    -v owner="$OWNER_PASSWORD" -v app="$APP_PASSWORD" -v backup="$BACKUP_PASSWORD" \
    -v identity="$IDENTITY_PASSWORD" -v operator="$OPERATOR_PASSWORD" <<'SQL'
CREATE ROLE ampacity_owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'owner';
CREATE ROLE ampacity_app LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'app';
CREATE ROLE ampacity_backup LOGIN NOSUPERUSER BYPASSRLS PASSWORD :'backup';
CREATE ROLE ampacity_identity LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'identity';
CREATE ROLE ampacity_operator LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'operator';
GRANT pg_read_all_data TO ampacity_backup;
ALTER DATABASE ampacity OWNER TO ampacity_owner;
SQL
