-- What is not in the totals yet.
create index concurrently if not exists quarantine_counts_not_summed
  on quarantine_counts (installer_id, company_id) where changes <> summed_changes;
