-- Fibonacci numbers by recursion, N rounds, in an interpreter that is itself interpreted.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local sum = 0
for _ = 1, tonumber((...)) do sum = sum + fib(20) end
print(sum)
