-- What is found by typing is found without its accents and apostrophes: `nunez` is Núñez, `obrien` is O'Brien and O’Brien.
-- Only what PostgreSQL has itself: `unaccent` is not everywhere, and is not immutable. Capitals are
-- named, since a database of the locale C knows only the English ones. The application says the same in
-- src/domain/leads/search-form.ts; a test compares the two.
create function search_form(text) returns text language sql immutable strict parallel safe
  return lower(replace(replace(replace(replace(
    translate(
      regexp_replace(normalize($1, NFD), '[\u0300-\u036f''`´ʹʻʼʽˈ‘’‛′＇]', '', 'g'),
      'ØøŁłĐđÐðĦħŊŋŦŧıÆŒÞẞ', 'oollddddhhnnttiæœþß'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'));

-- The generated columns anew, each with its index: the rows that are there are covered by the same step.
alter table leads
  drop column search,
  add column search text generated always as (search_form(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' ||
    coalesce(co_first_name, '') || ' ' || coalesce(co_last_name, '') || ' ' || coalesce(co_email, '') || ' ' ||
    coalesce(phone, '') || ' ' || coalesce(phone_e164, '') || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g') || ' ' ||
    coalesce(co_phone, '') || ' ' || regexp_replace(coalesce(co_phone, ''), '\D', '', 'g') || ' ' ||
    coalesce(line1, '') || ' ' || coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(postal_code, '') || ' ' ||
    id || ' ' || coalesce(reference, '') || ' ' || coalesce(external_id, '') || ' ' || coalesce(project_id, '')
  )) stored;
create index leads_by_search on leads using gin (installer_id, search gin_trgm_ops);

alter table invoices
  drop column search,
  add column search text generated always as (search_form(
    coalesce(number, '') || ' ' || coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', '')
  )) stored;
create index invoices_by_search on invoices using gin (installer_id, search gin_trgm_ops);

alter table credits
  drop column search,
  add column search text generated always as (search_form(
    coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', '')
  )) stored;
create index credits_by_search on credits using gin (installer_id, search gin_trgm_ops);
