-- The role of the service `backup`, for a new database and an old one; again to change its password:
-- psql -U postgres -v password=... -f archive.sql
-- It receives WAL and base backups, which hold all there is; of tables it reads none.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ampacity_archive') THEN
    CREATE ROLE ampacity_archive LOGIN REPLICATION NOSUPERUSER NOBYPASSRLS;
  END IF;
  -- the image's own rules let nobody replicate from elsewhere
  IF NOT EXISTS (SELECT FROM pg_hba_file_rules WHERE 'ampacity_archive' = ANY (user_name)) THEN
    COPY (SELECT 'host replication ampacity_archive all scram-sha-256')
      TO PROGRAM 'cat >> pg_hba.conf';
  END IF;
END $$;
ALTER ROLE ampacity_archive PASSWORD :'password';
GRANT pg_read_all_settings, pg_read_all_stats, pg_checkpoint TO ampacity_archive;
GRANT EXECUTE ON FUNCTION pg_switch_wal(), pg_create_restore_point(text),
  pg_backup_start(text, boolean), pg_backup_stop(boolean) TO ampacity_archive;
SELECT pg_reload_conf();
