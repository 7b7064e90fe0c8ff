-- Token bucket: the instant at which it would be full again, on a clock that counts parts of tokens.
--
-- KEYS[1]  the bucket
-- ARGV     now (microseconds; empty: the server's clock), nonce, then the limit: parts in a token, capacity,
--          factor and scale (factor / scale parts are generated in a microsecond), then the operations, three
--          arguments each:
--            take      tokens  longest wait (microseconds; negative: takes nothing and gives no ticket back)
--            return    tokens  ticket
--            refill    -       -
--            available -       -
-- Returns  four values for each operation: granted (1 or 0), wait (microseconds), available tokens,
--          ticket
--
-- A full bucket has no key. A generation is a time in which the bucket was never full and its limit never
-- changed; positions are compared within it. Every number is whole and below 2^53.

local W = 67108864
local LIMIT = 9007199254740992
local REBASE = 562949953421312

local key = KEYS[1]
local nonce = ARGV[2]
local unit, capacity, factor, scale = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local burst = capacity * unit

local now
if ARGV[1] == '' then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
else
  now = tonumber(ARGV[1])
end

-- floor(elapsed * factor / scale), exactly: in halves of 26 bits
local function generated(elapsed, factor, scale)
  local eh, fh = math.floor(elapsed / W), math.floor(factor / W)
  local el, fl = elapsed - eh * W, factor - fh * W
  local middle = eh * fl + el * fh + math.floor(el * fl / W)
  local divisor = scale / W
  return eh * fh * (W / divisor) + math.floor(middle / divisor)
end

-- the least number of microseconds in which so many parts are generated
local function elapsedAt(parts)
  local elapsed = math.max(0, math.floor(parts / factor * scale))
  while generated(elapsed, factor, scale) < parts do
    elapsed = elapsed + 1
  end
  while elapsed > 0 and generated(elapsed - 1, factor, scale) >= parts do
    elapsed = elapsed - 1
  end
  return elapsed
end

local generation, origin, full, returned, level
local moved = false

local function begin(behind)
  generation, origin, full, returned, level = nonce, now, behind, 0, 0
end

local stored = redis.pcall('GET', key)
if type(stored) == 'table' then
  return redis.error_reply('NOTABUCKET ' .. stored.err)
end
if stored then
  local g, o, l, f, r, u, c, q, s = string.match(stored,
    '^(%w+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  if not g then
    return redis.error_reply('NOTABUCKET the stored value is not the state of a bucket')
  end
  generation, origin, full, returned = g, tonumber(o), tonumber(f), tonumber(r)
  local last = tonumber(l)
  if now < last then
    -- the clock has stepped back: the state moves with it
    origin = origin - (last - now)
    moved = true
  end
  local elapsed = now - origin
  if u == ARGV[3] and c == ARGV[4] and q == ARGV[5] and s == ARGV[6] then
    level = generated(elapsed, factor, scale)
    if full <= level then
      begin(0)
    elseif level >= REBASE then
      begin(full - level)
    end
  else
    -- another limit: what is available, or owed by those who wait, stays the same number of tokens
    local behind = math.max(0, full - generated(elapsed, tonumber(q), tonumber(s)))
    local short = math.ceil((behind - tonumber(c) * tonumber(u)) * (unit / tonumber(u)))
    begin(math.min(LIMIT, burst + math.max(-burst, short)))
    moved = true
  end
else
  begin(0)
end

local changed = false

local function available()
  return math.floor(math.max(0, burst - math.max(0, full - level)) / unit)
end

local function take(tokens, maxWait)
  changed = changed or moved
  local position = tokens * unit + math.max(full, level)
  local short = position - level - burst
  local wait = 0
  if short > 0 then
    wait = elapsedAt(position - burst) - (now - origin)
    if wait > maxWait or position > LIMIT then
      return 0, wait, available(), ''
    end
  end
  full = position
  changed = true
  if maxWait < 0 then
    return 1, 0, available(), ''
  end
  return 1, wait, available(),
    string.format('%s %.0f %.0f %.0f', generation, full, returned, (wait == 0) and level or LIMIT)
end

local function giveBack(tokens, ticket)
  local g, position, before, level0 = string.match(ticket, '^(%w+) (%d+) (%d+) (%d+)$')
  if g ~= generation then
    return
  end
  local cost = tokens * unit
  position = tonumber(position) - (returned - tonumber(before))
  local last = position == full
  local parts = 0
  if last then
    parts = position - level
  elseif full - level <= burst then
    parts = position - level
    level0 = tonumber(level0)
    if level0 == level then
      parts = cost
    elseif level0 < level then
      parts = math.max(parts, cost - (level - level0) - 1)
    end
  end
  parts = math.min(parts, cost, full - level)
  if parts > 0 then
    full = full - parts
    changed = true
    if not last then
      returned = returned + parts
    end
  end
end

local function refill()
  local parts = math.min(burst, full - level)
  if parts > 0 then
    begin(full - level - parts)
    changed = true
  end
end

local answers = {}
for i = 7, #ARGV, 3 do
  local operation = ARGV[i]
  local granted, wait, left, ticket = 1, 0, 0, ''
  if operation == 'take' then
    granted, wait, left, ticket = take(tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2]))
  else
    if operation == 'return' then
      giveBack(tonumber(ARGV[i + 1]), ARGV[i + 2])
    elseif operation == 'refill' then
      refill()
    end
    left = available()
  end
  local n = #answers
  answers[n + 1], answers[n + 2], answers[n + 3], answers[n + 4] = granted, wait, left, ticket
end

if changed then
  if full <= level then
    redis.call('DEL', key)
  else
    local millis = math.floor((elapsedAt(full) - (now - origin)) / 1000) + 2
    if ARGV[1] ~= '' then
      millis = millis + 3600000
    end
    redis.call('SET', key, string.format('%s %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f', generation, origin, now, full,
      returned, unit, capacity, factor, scale), 'PX', string.format('%.0f', millis))
  end
end
return answers
