-- Integers and floats: conversions, overflow, division, bit operations, the math library.

print(7 // 2, -7 // 2, 7 // -2, 7 % 3, -7 % 3, 7 % -3, 7 / 2, 7.5 // 2, -7.5 % 2, 5.0 % -3)
print(math.maxinteger + 1 == math.mininteger, math.maxinteger * 2, math.mininteger // -1, math.mininteger % -1)
print(1 << 63, 1 << 64, -1 >> 1, ~0, 5 & 3, 5 | 3, 5 ~ 3, 1 << -1, 2.0 | 1)
print(3 == 3.0, math.type(3), math.type(3.0), math.type("3"), 1e15, 1e16, 2 ^ 53, 2 ^ 63, -0.0, 100000000000000)
print(1 / 0, -1 / 0, 0 / 0 ~= 0 / 0, math.huge // 1, 5 // 0.0, -5 % math.huge, 3 % -math.huge)
print(0.1, 1 / 3, 123456789012345.678, 5e-324, 1.7976931348623157e308, 3.14159265358979, 1e100)
print(0x10, 0xA.8p0, 0xffffffffffffffff, 0x1p-2, 9007199254740993, 1e2, .5, 3.)
print(tostring(2 ^ 31), 10 // 3.0, 2 ^ 0.5, 8 % 3.5, 1e308 * 10, -1e308 * 10)
print(math.floor(3.7), math.ceil(-3.7), math.floor(-2 ^ 70), math.tointeger(5.0), math.tointeger(5.5), math.tointeger("8"))
print(math.max(1, 2.5, -1), math.min(3, 1, 2), math.abs(-5), math.abs(math.mininteger), math.fmod(-7, 3), math.fmod(7, -3.5))
print(math.modf(3.7), math.modf(-3.7), math.modf(1 / 0), math.ult(1, -1), math.sqrt(2), math.exp(1), math.log(8, 2), math.log(100, 10), math.log(2))
for _, f in ipairs({ "sin", "cos", "tan", "asin", "acos", "atan" }) do io.write(f, " ", ("%.13f"):format(math[f](0.5)), " ") end
print(("%.13f"):format(math.atan(1, -1)), math.pi)
print(string.format("%.14g %.17g %.3f %5.0f|%g %g %g", 0.1, 0.1, 2.0005, 1234.5, 1e-5, 123456789, 0.0001))
for _, s in ipairs({ "0x", "1e", "1e+", "0x1p", " 1", "1 ", "1a", "inf", "nan", "0b1", "1_000", "-0x10", "- 1", "1e400", "9223372036854775808", "" }) do
  io.write(("%q:%s "):format(s, tostring(tonumber(s))))
end
print()
for _, base in ipairs({ 2, 8, 16, 36 }) do io.write(tostring(tonumber("101", base)), " ", tostring(tonumber("zz", base)), " ") end
print()
for i = 3, 1, -1 do io.write(i, " ") end
for i = 1.0, 2, 0.25 do io.write(i, " ") end
for i = math.maxinteger - 2, math.maxinteger do io.write(i, " ") end
for i = math.mininteger, math.mininteger + 2 do io.write(i, " ") end
print(pcall(function() for i = 1, 10, 0 do end end))
print(1 < 1.5, 2 ^ 53 == 2 ^ 53 + 1, math.maxinteger < math.huge, math.maxinteger + 0.0 == math.maxinteger, math.mininteger <= -2 ^ 63, 1 == "1")

-- A generator with a seed gives the same numbers everywhere.
math.randomseed(2024, 7)
for _ = 1, 6 do io.write(math.random(1000), " ", ("%.10f"):format(math.random()), " ", math.random(-5, 5), " ") end
print(math.random(0) ~= nil)

-- Mandelbrot, a matrix product and a Taylor series: floats in bulk.
for y = -1, 1, 0.25 do
  for x = -2, 0.5, 0.0625 do
    local zr, zi, n = 0, 0, 0
    while n < 50 and zr * zr + zi * zi < 4 do zr, zi, n = zr * zr - zi * zi + x, 2 * zr * zi + y, n + 1 end
    io.write((" .:-=+*#%@"):sub(n // 5.1 + 1 | 0, n // 5.1 + 1 | 0))
  end
  print()
end
local n, a, b, c = 20, {}, {}, {}
for i = 1, n do a[i], b[i], c[i] = {}, {}, {}; for j = 1, n do a[i][j] = i / j; b[i][j] = j - i; c[i][j] = 0 end end
for i = 1, n do for j = 1, n do for k = 1, n do c[i][j] = c[i][j] + a[i][k] * b[k][j] end end end
print(("%.10g %.10g %.10g"):format(c[1][1], c[7][13], c[20][20]))
local e, term = 0, 1
for i = 1, 25 do e = e + term; term = term / i end
print(("%.15f"):format(e))
