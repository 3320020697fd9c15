-- A keyed consumeCredit in Redis: the same key gets the first answer again, the balance never falls
-- below zero, the answer is kept for 30 days, and a list remembers what happened.
--
-- KEYS: the balance, the key of this charge. ARGV: the amount.
local first = redis.call('GET', KEYS[2])
if first then return first end
local amount = tonumber(ARGV[1])
local balance = tonumber(redis.call('GET', KEYS[1]) or '0')
local answer
if balance < amount then
    answer = 'insufficient:' .. balance
else
    answer = 'consumed:' .. redis.call('DECRBY', KEYS[1], amount)
end
redis.call('SET', KEYS[2], answer, 'EX', 2592000)
redis.call('RPUSH', 'journal', KEYS[2] .. ' ' .. answer)
return answer
