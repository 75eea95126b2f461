-- String methods, patterns, formats, packing, UTF-8.

local text = "The quick brown fox jumps over 13 lazy dogs, 2 cats and 1 mouse."
print(#text, text:upper(), text:lower():sub(-12, -2), text:reverse():rep(2, "|"))
print(text:find("fox"), text:find("o", 15, true), text:find("(%a+) (%d+) (%a+)"))
for word, number in text:gmatch("(%a+) (%d+)") do io.write(word, "=", number, ";") end
print()
print(text:gsub("%w+", function(w) if #w > 4 then return "<" .. w .. ">" end end))
print(text:gsub("(%a+) (%a+)", "%2 %1", 3))
print(text:gsub("%d", { ["1"] = "one", ["3"] = false }))
print(("key = value # comment"):match("^(%w+)%s*=%s*(%w+)%s*#?%s*(.*)$"))
print(("f(a(b)c)(d)"):match("%b()"), ("THE (quick) fox"):find("%((%a+)%)"), ("hello world"):find("%f[%w]%w+", 2))
print(("  trimmed \t"):match("^%s*(.-)%s*$") .. "|", ("a,b,,c"):gsub(",", ";"))
print(("%5.1f|%-8s|%08.3f|%+d|%x|%X|%o|%e|%g|%c|%q|%%|%i"):format(3.14159, "left", -2.5, 7, 255, 255, 8, 12345.678, 1e20, 65, 'a "quoted"\nline\0', 42))
print(("%10.4s|%a|%.3a|%5s|%-5d|%.0f"):format("truncated", 1.0, 0.1, "é", 3, 0.5))
print(string.format("%q %q %q %q", 1 / 3, math.mininteger, 1e308 * 10, 0x7fffffffffffffff))
print(("x"):rep(0) == "", ("ab"):byte(1, -1), string.char(72, 105), ("\u{48}\x49\z
       joined"))
print("10" + 5, "0x10" * 2, "3.0" + 1, 10 .. 20, "a" < "b", "Z" < "a", "a\0b" < "a\0c", #"a\0b")
print(tostring(nil), tostring(true), tonumber("  12  "), tonumber("1e2"), tonumber("0x1p4"), tonumber("z", 36), tonumber("8", 8), tonumber("1 2"))

local packed = string.pack("<i1 >I2 <i4 >i8 <f >d z s1 i3 x", -5, 65000, -123456, 1 << 40, 1.5, -2.25, "zero", "counted", 70000)
print(#packed, (packed:gsub(".", function(c) return ("%02x"):format(c:byte()) end)))
print(string.unpack("<i1 >I2 <i4 >i8 <f >d z s1 i3 x", packed))
print(string.packsize("<i4 i8 !4 d"), pcall(string.pack, "i1", 300), pcall(string.unpack, "i4", "abc"))

local greek = "αβγ ελλάδα €𝄞"
print(#greek, utf8.len(greek), utf8.codepoint(greek, 1, 5), utf8.char(8364, 119070, 65))
for position, code in utf8.codes(greek) do io.write(position, ":", code, " ") end
print()
print(utf8.offset(greek, 5), utf8.offset(greek, -1), utf8.len("\xff"), pcall(utf8.codepoint, "\xff"))
print(pcall(string.rep, "x", -1), pcall(string.find, "a", "[a"), pcall(string.gsub, "x", "(", ""))
print(os.time({ year = 2001, month = 2, day = 3, hour = 4 }), os.date("!%Y-%m-%d %H:%M:%S %a %j", 981173106))

local parts = {}
for i = 1, 3000 do parts[#parts + 1] = ("%d:%s"):format(i, ("ab"):rep(i % 7)) end
local joined = table.concat(parts, ",")
local hash = 0
for i = 1, #joined do hash = (hash * 31 + joined:byte(i)) % 2147483647 end
print(#joined, hash)
