-- Token bucket: the instant at which it would be full again, on a clock that counts parts of tokens.
--
-- KEYS[1]  the bucket
-- ARGV     now (microseconds; empty: the server's clock), nonce, then the limit: parts in a token, capacity,
--          factor and scale (factor / scale parts are generated in a microsecond), then the operations, four
--          arguments each:
--            take      tokens  longest wait (microseconds; negative: takes nothing and gives no ticket back)
--                              number of calls that want this, more than one only if they do not wait
--            return    tokens  ticket, and the number of those that were granted with it but after it  -
--            refill    -       -  -
--            available -       -  -
-- Returns  four values for each operation: number of calls granted, wait (microseconds) of the call or of the
--          first that was refused, available tokens, ticket of the last one granted
--
-- A full bucket has no key. A generation is a time in which the bucket was never full and its limit never
-- changed; positions are compared within it. Every number is whole and below 2^53.

local W = 67108864
local LIMIT = 9007199254740992
local REBASE = 562949953421312

local call, match = redis.call, string.match
local key, nonce = KEYS[1], ARGV[2]
local limit = ARGV[3] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5] .. ' ' .. ARGV[6]
local unit, capacity, factor, scale = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local burst = capacity * unit

local now
if ARGV[1] == '' then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
else
  now = tonumber(ARGV[1])
end

-- floor(elapsed * factor / scale), exactly: in halves of 26 bits
local function generated(elapsed, factor, scale)
  local el, fl, divisor = elapsed % W, factor % W, scale / W
  local eh, fh, low = (elapsed - el) / W, (factor - fl) / W, el * fl
  local middle = eh * fl + el * fh + (low - low % W) / W
  return eh * fh * (W / divisor) + (middle - middle % divisor) / divisor
end

-- behind: what is missing of a full bucket where a new generation begins
local generation, origin, full, returned, level
local behind, moved, changed = 0, false, false

local stored = redis.pcall('GET', key)
if type(stored) == 'table' then
  return redis.error_reply('NOTABUCKET ' .. stored.err)
end
if stored then
  local last, stored_limit
  generation, origin, last, full, returned, stored_limit = match(stored,
    '^(%w+) (%d+) (%d+) (%d+) (%d+) (%d+ %d+ %d+ %d+)$')
  if not generation then
    return redis.error_reply('NOTABUCKET the stored value is not the state of a bucket')
  end
  origin, last, full, returned = tonumber(origin), tonumber(last), tonumber(full), tonumber(returned)
  if now < last then
    -- the clock has stepped back: the state moves with it
    origin = origin - (last - now)
    moved = true
  end
  if stored_limit == limit then
    level = generated(now - origin, factor, scale)
    if full <= level then
      behind = 0
    elseif level >= REBASE then
      behind = full - level
    else
      behind = nil
    end
  else
    -- another limit: what is available, or owed by those who wait, stays the same number of tokens
    local u, c, f, s = match(stored_limit, '^(%d+) (%d+) (%d+) (%d+)$')
    local missing = math.max(0, full - generated(now - origin, tonumber(f), tonumber(s)))
    local short = math.ceil((missing - c * u) * (unit / u))
    behind = math.min(LIMIT, burst + math.max(-burst, short))
    moved = true
  end
end
if behind then
  generation, origin, full, returned, level = nonce, now, behind, 0, 0
end

local answers = {}
local n = 0
for i = 7, #ARGV, 4 do
  local operation, cost = ARGV[i], ARGV[i + 1] * unit
  local granted, wait, ticket = 1, 0, ''
  if operation == 'take' then
    local maxWait, count = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3])
    local first = full
    if first < level then
      first = level
    end
    changed = changed or moved
    local room = level + burst - first
    granted = (room - room % cost) / cost
    if granted >= count then
      granted = count
    else
      if granted < 0 then
        granted = 0
      end
      -- the least number of microseconds in which so many parts are generated
      local position = first + (granted + 1) * cost
      local parts = position - burst
      local elapsed = math.floor(parts / factor * scale)
      while generated(elapsed, factor, scale) < parts do
        elapsed = elapsed + 1
      end
      while elapsed > 0 and generated(elapsed - 1, factor, scale) >= parts do
        elapsed = elapsed - 1
      end
      wait = elapsed - (now - origin)
      if wait <= maxWait and position <= LIMIT then
        granted = granted + 1
      end
    end
    if granted > 0 then
      full = first + granted * cost
      changed = true
      if maxWait >= 0 then
        ticket = generation .. string.format(' %.0f %.0f %.0f', full, returned,
          (maxWait == 0 or wait == 0) and level or LIMIT)
      end
    end
  elseif operation == 'return' then
    local g, position, before, level0, after = match(ARGV[i + 2], '^(%w+) (%d+) (%d+) (%d+) (%d+)$')
    if g == generation then
      position = position - after * cost - (returned - before)
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
  elseif operation == 'refill' then
    local parts = math.min(burst, full - level)
    if parts > 0 then
      generation, origin, full, returned, level = nonce, now, full - level - parts, 0, 0
      changed = true
    end
  end
  local left = burst
  if full > level then
    left = burst - (full - level)
    if left < 0 then
      left = 0
    end
  end
  answers[n + 1], answers[n + 2], answers[n + 3], answers[n + 4] = granted, wait, (left - left % unit) / unit, ticket
  n = n + 4
end

if changed then
  if full <= level then
    call('DEL', key)
  else
    -- two milliseconds are more than what the division rounds
    local millis = math.floor((full / factor * scale - (now - origin)) / 1000) + 2
    if ARGV[1] ~= '' then
      millis = millis + 3600000
    end
    call('SET', key, generation .. string.format(' %.0f %.0f %.0f %.0f ', origin, now, full, returned) .. limit, 'PX',
      string.format('%.0f', millis))
  end
end
return answers
