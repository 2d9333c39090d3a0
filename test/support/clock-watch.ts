import pg from 'pg'

/**
 * What lists show that are read from a replica by the tenant's clock, and of what changes: `test/statements/clocked.test.ts`
 * holds it to them. The last four are the directory's, of webhooks only whether there are any.
 */
export const clockedTables: Readonly<Record<string, string>> = {
  leads: 'insert or update or delete',
  projects: 'insert or update or delete',
  lead_counts: 'insert or update or delete',
  project_counts: 'insert or update or delete',
  calendar_entries: 'insert or update or delete',
  files: 'insert or update or delete',
  companies: 'insert or delete or update of name, timezone, country, status, kind, number',
  members: 'insert or delete or update of email, name, phone, role, deactivated_at, company_id',
  stages: 'insert or update or delete',
  webhooks: 'insert or update of deleted_at',
}

/** Moves the clock of the tenant `$1`, as each change does; in terms of UTC, so that Citus knows it for the same everywhere. */
export const clockMoved = `update tenant_clocks set now = (now at time zone 'UTC' + interval '1 ms') at time zone 'UTC'
  where installer_id = $1`

/** Before what a test writes past the program, which need not keep to its rules. */
export const byTest = '/* by a test */'

/**
 * Lets no transaction of the program end that changed what those lists show and did not move the tenant's clock: a replica
 * whose clock is the same would be taken for one that has the change. In the database that every test file clones, so that
 * all of them watch all that is written.
 */
export async function watchClocks(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Deferred: the clock may be moved before or after, as long as it is in the same transaction. By whom it was written
    // is known only while the statement runs.
    await client.query(`
      create function note_test() returns trigger language plpgsql as $$
      begin
        if current_query() like '${byTest}%' then perform set_config('watch.by_test', 'yes', true); end if;
        return null;
      end $$;
      create function clock_has_moved() returns trigger language plpgsql as $$
      declare
        tenant text := case when tg_op = 'DELETE' then old.installer_id else new.installer_id end;
        epoch numeric := trunc(pg_current_xact_id()::text::numeric / 4294967296) * 4294967296;
      begin
        -- The contents and names of a file that was revoked before go later.
        if tg_op = 'DELETE' and to_jsonb(old) ->> 'revoked_at' is not null then return null; end if;
        if coalesce(current_setting('watch.by_test', true), '') <> 'yes' and exists (
          select from tenant_clocks where installer_id = tenant
            -- Seen although it is in progress, it is this transaction's own, or that of a savepoint of it.
            and pg_xact_status((epoch + xmin::text::numeric)::text::xid8) <> 'in progress')
        then
          raise exception '% of % did not move the tenant''s clock', tg_op, tg_table_name;
        end if;
        return null;
      end $$;
      ${Object.entries(clockedTables)
        .map(
          ([table, changes]) => `
            create trigger note_test after ${changes} on ${table} for each statement execute function note_test();
            create constraint trigger clock_has_moved after ${changes} on ${table} deferrable initially deferred
              for each row execute function clock_has_moved();`,
        )
        .join('\n')}`)
  } finally {
    await client.end()
  }
}
