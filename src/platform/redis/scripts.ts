import { createHash } from 'node:crypto'

export interface Script {
  source: string
  sha: string
}

function script(source: string): Script {
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

/**
 * The window of rate-limit.ts: a list of when the calls that passed were made, in microseconds of Redis. ARGV: limit,
 * window. Answers whether it passes, how many are left, and the microseconds until the oldest leaves the window. Times
 * that are still to come were written before the clock was set back, and are forgotten.
 */
export const takeCall = script(`
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = redis.call('LINDEX', KEYS[1], -1)
if last and tonumber(last) > now then redis.call('DEL', KEYS[1]) end
local first = redis.call('LINDEX', KEYS[1], 0)
while first and tonumber(first) + window <= now do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
local allowed = 0
if count < limit then
  redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
  allowed = 1
  count = count + 1
  first = first or now
end
return {allowed, limit - count, tonumber(first) + window - now}
`)

/**
 * The counts of attempt-limits.ts, in milliseconds of Redis. ARGV, four for each key: free, first wait, longest wait,
 * what one failure is forgotten in. Answers the milliseconds to wait, or 0 and until when each key then waits.
 */
export const countAttempt = script(`
local t = redis.call('TIME')
local now = t[1] * 1000 + t[2] / 1000
local wait, found = 0, {}
for i, key in ipairs(KEYS) do
  local kept = redis.call('HMGET', key, 'failures', 'at', 'until')
  found[i] = { tonumber(kept[1] or 0), tonumber(kept[2] or 0) }
  wait = math.max(wait, math.min(tonumber(kept[3] or 0) - now, tonumber(ARGV[4 * i - 1])))
end
if wait > 0 then return { math.ceil(wait) } end
local answer = { 0 }
for i, key in ipairs(KEYS) do
  local free, first, longest, forget = unpack(ARGV, 4 * i - 3, 4 * i)
  local failures = math.max(0, found[i][1] - math.max(0, now - found[i][2]) / forget) + 1
  local over, till = failures - free, 0
  if over > 0 then till = now + math.min(tonumber(longest), first * 2 ^ (math.ceil(over) - 1)) end
  answer[i + 1] = string.format('%.17g', till)
  redis.call('HSET', key, 'failures', string.format('%.17g', failures), 'at', string.format('%.17g', now), 'until', answer[i + 1])
  redis.call('PEXPIRE', key, math.ceil(math.max(failures * forget, till - now)) + 1000)
end
return answer
`)

/** Takes back what was counted. ARGV, two for each key: until when it then waited, and whether it is cleared. */
export const settleAttempt = script(`
for i, key in ipairs(KEYS) do
  if ARGV[2 * i] == '1' then
    redis.call('DEL', key)
  else
    local kept = redis.call('HMGET', key, 'failures', 'until')
    if kept[1] then
      redis.call('HSET', key, 'failures', string.format('%.17g', math.max(0, kept[1] - 1)))
      if kept[2] == ARGV[2 * i - 1] then redis.call('HSET', key, 'until', '0') end
    end
  end
end
return 1
`)
