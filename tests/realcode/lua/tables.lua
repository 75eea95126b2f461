-- Tables: array and hash parts, sorting, metatables, weak tables, the garbage collector.

local function show(t) print(#t, table.concat(t, " ")) end

local t = { 5, 2, 8, 1, 9, 3 }
table.sort(t); show(t)
table.sort(t, function(a, b) return a > b end); show(t)
table.insert(t, 7); table.insert(t, 1, 0); show(t)
print(table.remove(t), table.remove(t, 1), table.remove({}))
show(table.move(t, 2, 4, 1)); show(table.move({ 1, 2, 3 }, 1, 3, 3))
print(select("#", table.unpack({ 1, nil, 3 }, 1, 3)), table.unpack({ 1, 2, 3 }, 2))

local seed = 42
local function random(n) seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n end
local numbers, words = {}, {}
for i = 1, 2000 do numbers[i] = random(100000); words[i] = ("%x"):format(random(1 << 30)) end
table.sort(numbers); table.sort(words, function(a, b) return #a == #b and a < b or #a < #b end)
print(numbers[1], numbers[1000], numbers[2000], words[1], words[1000], words[2000])
for i = 2, #numbers do assert(numbers[i - 1] <= numbers[i]) end
print(pcall(table.sort, { 3, 1, 2, 5, 4 }, function() return true end))

local mixed = { 10, 20, 30, x = 1, [2.0] = "two", [-1] = "minus", [1e15] = "big", [true] = "yes" }
print(#mixed, mixed[2], mixed.x, mixed[-1], mixed[1e15], mixed[true], mixed[2 ^ 53])
local keys = {}
for k, v in pairs(mixed) do keys[#keys + 1] = tostring(k) .. "=" .. tostring(v) end
table.sort(keys); print(table.concat(keys, " "))
for i, v in ipairs({ 1, 2, nil, 4 }) do io.write(i, "=", v, " ") end
print(next({}), rawlen({ 1, 2 }), rawequal(t, t), rawget(t, 99))

-- Grow, punch holes, clear while walking.
local big = {}
for i = 1, 5000 do big[i] = i; big["k" .. i] = i * 2 end
for i = 1, 5000, 3 do big[i] = nil end
local count, total = 0, 0
for k, v in pairs(big) do count = count + 1; total = total + v; if type(k) == "string" then big[k] = nil end end
print(count, total)

-- Metatables: arithmetic, comparison, indexing, calls, inheritance.
local Vector = {}
Vector.__index = Vector
function Vector.new(x, y) return setmetatable({ x = x, y = y }, Vector) end
function Vector.__add(a, b) return Vector.new(a.x + b.x, a.y + b.y) end
function Vector.__mul(a, b) return type(a) == "number" and Vector.new(a * b.x, a * b.y) or a.x * b.x + a.y * b.y end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vector.__lt(a, b) return a:length() < b:length() end
function Vector.__le(a, b) return a:length() <= b:length() end
function Vector.__tostring(v) return "(" .. v.x .. ", " .. v.y .. ")" end
function Vector.__concat(a, b) return tostring(a) .. tostring(b) end
function Vector.__len() return 2 end
function Vector.__unm(v) return Vector.new(-v.x, -v.y) end
function Vector.__call(v, factor) return factor * v end
function Vector:length() return (self.x ^ 2 + self.y ^ 2) ^ 0.5 end
local a, b = Vector.new(3, 4), Vector.new(1, 2)
print(tostring(a + b), a * b, tostring(2 * a), a == Vector.new(3, 4), a < b, a <= b, a .. b, #a, tostring(-a), tostring(a(10)), a:length())

local Base = { greet = function(self) return "I am " .. self.name end }
Base.__index = Base
local Derived = setmetatable({ shout = function(self) return self:greet():upper() end }, Base)
Derived.__index = Derived
print(setmetatable({ name = "derived" }, Derived):shout())

local reads, writes = {}, {}
local proxy = setmetatable({}, {
  __index = function(_, k) reads[#reads + 1] = k; return k .. "?" end,
  __newindex = function(_, k, v) writes[#writes + 1] = k .. "=" .. v end,
  __pairs = function() return function(_, k) k = (k or 0) + 1; if k < 4 then return k, k * k end end, nil, nil end,
})
proxy.a = 1; proxy.b = proxy.c
print(table.concat(reads, ","), table.concat(writes, ","))
for k, v in pairs(proxy) do io.write(k, "->", v, " ") end
print(getmetatable("").__index == string, getmetatable(setmetatable({}, { __metatable = "locked" })))

-- Weak tables and finalizers: what the collector frees is decided by reachability alone.
local weak, finalized = setmetatable({}, { __mode = "v" }), 0
local kept = {}
for i = 1, 200 do
  local object = setmetatable({ i }, { __gc = function() finalized = finalized + 1 end })
  weak[i] = object
  if i % 10 == 0 then kept[#kept + 1] = object end
end
collectgarbage(); collectgarbage()
local alive = 0
for _ in pairs(weak) do alive = alive + 1 end
print(alive, finalized, #kept)
collectgarbage("generational")
local garbage
for i = 1, 20000 do garbage = { i, { garbage and garbage[1] } } end
collectgarbage("incremental")
for i = 1, 20000 do garbage = { tostring(i) } end
print(garbage[1], collectgarbage("count") > 0)
