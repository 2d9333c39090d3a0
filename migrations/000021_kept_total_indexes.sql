-- What is not in the totals yet. By an expression, of which there are statistics: the planner would take a comparison of two
-- columns for true of nearly all rows, and read the table.
create index concurrently if not exists quarantine_counts_not_summed
  on quarantine_counts (installer_id, (changes - summed_changes));
