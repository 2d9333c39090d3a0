-- How an event begins in the feed: everything but its data, which the body ends with from the character behind `data_from` on.
-- Null for what is in no feed: tests of endpoints, and what older versions wrote, who kept only what somebody listened to.
alter table webhook_messages add column head text;
alter table webhook_messages add column data_from integer;

-- Up to this time of the tenant events are gone from the feed.
alter table tenant_clocks add column events_gone timestamptz(3);
