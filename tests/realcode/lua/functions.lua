-- Closures, varargs, recursion, tail calls, goto, to-be-closed variables.

local function counter(start, step)
  local value = start
  return function() value = value + step; return value end, function() return value end
end

local next_odd, current = counter(-1, 2)
for _ = 1, 5 do next_odd() end
print("counter", current())

local makers = {}
for i = 1, 4 do
  local kept = i
  makers[i] = function(x) kept = kept + x; return kept end
end
print("captured", makers[1](10), makers[1](10), makers[2](1), makers[4](0))

local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do total = total + (select(i, ...) or 0) end
  return total, select("#", ...)
end
print("varargs", sum(1, 2, nil, 4, nil))
print("packed", table.unpack(table.pack(sum(), "end")))

local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print("fib", fib(18))

local function ackermann(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end
print("ackermann", ackermann(2, 9))

local function countdown(n) if n == 0 then return "landed" end return countdown(n - 1) end
print("tail calls", countdown(20000))

do
  local i, j = 2, 0
  ::outer::
  j = i
  while true do
    j = j - 1
    if j == 1 then io.write(i, " ") break end
    if i % j == 0 then goto continue end
  end
  ::continue::
  i = i + 1
  if i < 40 then goto outer end
  print()
end

do
  local log = {}
  local function resource(name)
    return setmetatable({}, { __close = function(_, err) log[#log + 1] = name .. ":" .. tostring(err) end })
  end
  do
    local a <close> = resource("a")
    local b <close> = resource("b")
    log[#log + 1] = "body"
  end
  pcall(function() local c <close> = resource("c"); error("broken", 0) end)
  print("closed", table.concat(log, " "))
end

local const <const> = 7
print("const", const * 6)
local chunk = assert(load("local a, b = ...; return a * b, _ENV ~= nil", "chunk", "t"))
print("load", chunk(6, 7))
print("load error", load("x = = 1", "bad"))
local dumped = string.dump(function(a) return a .. "!" end)
print("dump", load(dumped, "dumped", "b")("again"))
