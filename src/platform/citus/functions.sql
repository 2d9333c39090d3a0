-- What a database whose tenants live on several nodes has besides its tables. Each node has all of it, also one that is
-- added later. Where one of these changes, it is made anew.

-- What tenants asked to be done later. It stands where they live, so that it is written with what makes it necessary; the
-- leader hands it to the queue, which is on the coordinator.
create table if not exists job_requests (
  installer_id text not null,
  key          text not null,
  task         text not null,
  payload      json not null,
  run_at       timestamptz,
  -- another for each time that it was asked for: what is asked for while it is being handed over is not lost
  asked        bigint not null default 1,
  primary key (installer_id, key)
);

-- Runs a statement on the shards that belong together with one of the tenants' clocks, as on plain PostgreSQL. Tables are
-- marked in it: @leads@. It is prepared once for each connection and shard, and all are let go of before they are too many.
create or replace function run_prepared(shard bigint, name text, statement text, vals text[]) returns text
language plpgsql as $$
declare
  prepared text := name || '_' || shard;
  call text := format('execute %I', prepared);
  known integer := coalesce(nullif(current_setting('sunstead.prepared', true), '')::integer, 0);
  own text := statement;
  found text;
  answer text;
begin
  -- As on a connection of our own: both cost a short statement more than they save.
  if current_setting('max_parallel_workers_per_gather') <> '0' then
    perform set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false);
  end if;
  if cardinality(vals) > 0 then
    call := call || (
      select '(' || string_agg(quote_nullable(v), ',' order by place) || ')' from unnest(vals) with ordinality as u(v, place));
  end if;
  begin
    execute call into answer;
    return answer;
  exception when invalid_sql_statement_name then null;
  end;
  for found in select distinct m[1] from regexp_matches(statement, '@(\w+)@', 'g') as m loop
    own := replace(own, '@' || found || '@', coalesce((
      select format('%I', found || '_' || s.shardid) from pg_dist_shard s join pg_dist_shard clock on clock.shardid = shard
      -- of what is on every node, the node's own copy
      where s.logicalrelid = to_regclass(found)
        and (s.shardminvalue = clock.shardminvalue or s.shardminvalue is null)), found));
  end loop;
  if known >= 500 then
    deallocate all;
    known := 0;
  end if;
  execute format('prepare %I as ', prepared) || own;
  perform set_config('sunstead.prepared', (known + 1)::text, false);
  execute call into answer;
  return answer;
end $$;

-- Whether the shard is here; its tables stay for a while after it has been moved.
create or replace function is_here(shard bigint) returns boolean
language plpgsql as $$
begin
  return exists (select from pg_dist_placement p join pg_dist_local_group g using (groupid) where p.shardid = shard);
end $$;

-- Whether the shard is here, and stays until the transaction ends. In the last step of a move nobody can say: whoever asks is
-- told so soon, rather than kept on a connection that others wait for.
create or replace function keeps_here(shard bigint) returns boolean
language plpgsql set lock_timeout = 100 as $$
begin
  perform lock_shard_metadata(3, array[shard]);
  return is_here(shard);
exception when lock_not_available then
  return false;
end $$;

-- Runs a statement of one tenant. The answer begins with ! where something was asked to be done later; it is ~ where nothing was
-- done, as the tenant is being moved or is not here any more. What only reads, and is alone in its transaction, waits for no move.
create or replace function run_here(
  installer text, name text, statement text, vals text[], lock_ms integer, only_reads boolean) returns text
language plpgsql as $$
declare
  shard bigint := get_shard_id_for_distribution_column('tenant_clocks', installer);
  is_held boolean := case when only_reads then is_here(shard) else keeps_here(shard) end;
  answer text;
begin
  if not is_held then
    return '~';
  end if;
  if lock_ms is not null then
    perform set_config('lock_timeout', lock_ms::text, true);
  end if;
  answer := run_prepared(shard, name, statement, vals);
  if current_setting('sunstead.asked', true) = 'yes' then
    return '!' || coalesce(answer, '');
  end if;
  return answer;
end $$;

-- Runs a statement for all tenants of these shards, on the node that holds this one; the answer begins as that of one.
create or replace function run_for_all_here(
  tenant text, name text, statement text, vals text[], shards bigint[], only_reads boolean) returns text
language plpgsql as $$
declare
  shard bigint;
  is_held boolean;
  answer text;
  answers text[] := '{}';
begin
  foreach shard in array shards loop
    is_held := case when only_reads then is_here(shard) else keeps_here(shard) end;
    if not is_held then
      return '~';
    end if;
  end loop;
  foreach shard in array shards loop
    answer := run_prepared(shard, name, statement, vals);
    if answer is not null then
      answers := answers || substr(answer, 2, length(answer) - 2);
    end if;
  end loop;
  if current_setting('sunstead.asked', true) = 'yes' then
    return '![' || array_to_string(answers, ',') || ']';
  end if;
  return '[' || array_to_string(answers, ',') || ']';
end $$;

-- As on plain PostgreSQL where the queue is; elsewhere it is asked for.
create or replace function queue_job(task text, payload json, key text, at timestamptz default null) returns void
language plpgsql as $$
declare
  installer text := payload ->> 'installerId';
begin
  if (select groupid from pg_dist_local_group) <> 0 then
    perform run_prepared(get_shard_id_for_distribution_column('tenant_clocks', installer), 'ask for a job',
      'with asked as (
          insert into @job_requests@ as r (installer_id, key, task, payload, run_at)
          values ($1, $2, $3, $4::json, $5::timestamptz)
          on conflict (installer_id, key) do update set task = excluded.task, payload = excluded.payload,
            run_at = case when r.run_at is null or excluded.run_at is null then null else least(r.run_at, excluded.run_at) end,
            asked = r.asked + 1)
        select null::text',
      array[installer, key, task, payload::text, at::text]);
    perform set_config('sunstead.asked', 'yes', true);
  elsif (graphile_worker.add_job(task, payload, run_at => at, job_key => key)).id is null then
    perform graphile_worker.add_job(task, payload, run_at => at);
  end if;
end $$;

create or replace function wake_webhooks(installer text) returns void
language plpgsql as $$
begin
  if run_prepared(get_shard_id_for_distribution_column('tenant_clocks', installer), 'who is to be woken',
    'select ''yes'' where exists (select from @webhooks@ w where w.installer_id = $1 and w.status = ''enabled'')
      and not exists (select from @webhook_cursors@ c where c.installer_id = $1 and c.watched_until > clock_timestamp())',
    array[installer]) is not null
  then
    perform queue_job('dispatch-events', json_build_object('installerId', installer), 'dispatch:' || installer);
  end if;
end $$;
