-- Coroutines and errors: everything here goes through setjmp and longjmp.

local function range(n) return coroutine.wrap(function() for i = 1, n do coroutine.yield(i) end end) end
for i in range(5) do io.write(i, " ") end
print()

local thread = coroutine.create(function(a, b)
  print("started", a, b, coroutine.isyieldable())
  local c = coroutine.yield(a + b)
  print("resumed", c)
  local d, e = coroutine.yield(c * 2)
  print("resumed", d, e)
  return "done", d .. e
end)
print(coroutine.status(thread), coroutine.resume(thread, 1, 2))
print(coroutine.status(thread), coroutine.resume(thread, 21))
print(coroutine.resume(thread, "x", "y"))
print(coroutine.status(thread), coroutine.resume(thread))

local function permutations(items)
  local function generate(n)
    if n == 0 then coroutine.yield(table.concat(items)) return end
    for i = 1, n do
      items[i], items[n] = items[n], items[i]
      generate(n - 1)
      items[i], items[n] = items[n], items[i]
    end
  end
  return coroutine.wrap(function() generate(#items) end)
end
for p in permutations({ "a", "b", "c", "d" }) do io.write(p, " ") end
print()

-- A chain of filters: the sieve of Eratosthenes, one coroutine a prime.
local function filter(p, source)
  return coroutine.wrap(function()
    for n in source do if n % p ~= 0 then coroutine.yield(n) end end
  end)
end
local source = coroutine.wrap(function() for n = 2, 300 do coroutine.yield(n) end end)
while true do
  local p = source()
  if not p then break end
  io.write(p, " ")
  source = filter(p, source)
end
print()

-- Yields across pcall, metamethods and iterators.
local crossing = coroutine.wrap(function()
  print(select(2, pcall(function() coroutine.yield("in pcall"); error({ code = 7 }) end)).code)
  local t = setmetatable({}, { __index = function(_, k) return coroutine.yield("in __index " .. k) end })
  print("got", t.key)
  print(select(2, xpcall(function() coroutine.yield("in xpcall"); error("late", 0) end, function(m) return m .. "!" end)))
  table.sort({ 3, 2, 1 }, function(a, b) return a < b end)
  return "end"
end)
print(crossing()); print(crossing()); print(crossing("value")); print(crossing())

print(pcall(coroutine.wrap(function() error("inside") end)))
print(coroutine.resume(coroutine.create(function() local x = nil; return x.field end)))
print(coroutine.close(coroutine.create(function() end)), select("#", coroutine.running()))
local closing = coroutine.create(function()
  local guard <close> = setmetatable({}, { __close = function() print("guard closed") end })
  coroutine.yield()
end)
coroutine.resume(closing); print(coroutine.close(closing), coroutine.status(closing))

-- Errors of every kind, with positions and levels.
local function level1() error("at caller", 2) end
print(pcall(level1)); print(pcall(function() level1() end))
print(pcall(error)); print(pcall(error, nil)); print(pcall(error, { 1 }) == false)
print(pcall(function() return 1 + {} end)); print(pcall(function() return #5 end)); print(pcall(function() return {} < {} end))
print(pcall(function() undefined_function() end)); print(pcall(function() local s = "x"; s.y.z = 1 end))
print(pcall(function() return 1 // 0 end)); print(pcall(function() return 1 % 0 end)); print(pcall(function() return 2 ^ 53 | 1.5 end))
print(pcall(string.rep)); print(pcall(setmetatable, 1, {})); print(pcall(ipairs)); print(select(-1, 1, 2, 3), pcall(select, 0))
print(xpcall(function() error("handled") end, function(m) return "handler: " .. m end))
print(xpcall(function() error("first") end, function() error("second") end))
print((select(2, pcall(function() local function deep() return 1 + deep() end return deep() end)):gsub("\n.*", "")))
print((select(2, pcall(string.gsub, "x", ".", function() error("in callback", 0) end))))
print(tostring(select(2, pcall(error, setmetatable({}, { __tostring = function() return "custom" end })))))
for depth = 1, 100 do
  local ok, message = pcall(function() return pcall(error, depth) end)
  assert(ok and message == false)
end
print(debug.traceback("trace", 1):match("^trace\nstack traceback:") ~= nil, debug.getinfo(1, "l").currentline)
assert(not pcall(assert, false, "message")); print(select(2, pcall(assert, nil)))
local nested = 0
local function recurse(n) if n > 0 then local ok = pcall(recurse, n - 1); nested = nested + 1; error(ok) end end
print(pcall(recurse, 60), nested)
