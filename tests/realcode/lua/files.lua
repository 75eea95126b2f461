-- Input and output: files in every mode, buffering, lines, temporary names, the operating system.

local name = "notes.txt"
local file = assert(io.open(name, "w"))
print(io.type(file), file:write("first line\n", 42, " ", 2.5, "\nthird\n\n0x1F -7 1e3 rest") == file)
print(file:seek("cur"), file:seek("set", 3), file:write("ST") == file, file:seek("end"), file:close(), io.type(file))

for line in io.lines(name) do io.write("[", line, "]") end
print()
for a, b in io.lines(name, 1, "l") do io.write(a, "|", tostring(b), ";") end
print()
file = assert(io.open(name))
print(file:read("l", "n", "n", "L", "l"))
print(file:read("l"), file:read("n", "n", "n", "n"))
print(file:read("a"), file:read("a"), file:read("l"), file:read(0))
print(file:seek("set"), file:read(5, 0, 3), file:seek())
file:close()

file = assert(io.open(name, "a+"))
print(file:setvbuf("full", 64), file:write(("appended "):rep(20)) == file, file:flush() == file)
print(file:seek("set", 0), #file:read("a")); file:close()
file = assert(io.open(name, "r+b")); file:write("FIRST"); file:seek("set"); print(file:read()); file:close()

print(io.open("absent/file.txt")); print(pcall(io.lines, "absent.txt")); print(pcall(io.open, name, "rz"))
print(pcall(file.read, file)); print(os.rename(name, "renamed.txt"), os.remove(name)); print(os.remove("renamed.txt"))

local temporary = io.tmpfile()
temporary:write("temporary"); temporary:seek("set"); print(temporary:read("a")); temporary:close()
io.output():write("through the default output\n")
io.stdout:write("through stdout", "\n")
print(os.getenv("HOME") ~= nil, os.getenv("NO_SUCH_VARIABLE"), type(os.time()), type(os.clock()), os.difftime(10, 4))
print(os.date("!%c", 0), os.date("!*t", 86400).wday, os.time({ year = 2020, month = 14, day = -3 }), pcall(os.date, "%Ez", 0))
print(os.setlocale(), os.setlocale("C"), os.setlocale("no_SUCH"))
print(..., select("#", ...))

local lines = 0
for line in io.lines() do lines = lines + 1; io.write(lines, " ", line:reverse(), "\n") end
os.exit(lines, true)
