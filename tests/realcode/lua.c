// Runs the Lua script that the first argument names; the others are the script's. An error ends it with a traceback.

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

static int traceback(lua_State *lua) {
  luaL_traceback(lua, lua, lua_tostring(lua, 1), 1);
  return 1;
}

static int run(lua_State *lua, int argc, char **argv) {
  lua_pushcfunction(lua, traceback);
  if (luaL_loadfile(lua, argv[1]) != LUA_OK)
    return LUA_ERRSYNTAX;
  for (int i = 2; i < argc; i++)
    lua_pushstring(lua, argv[i]);
  return lua_pcall(lua, argc - 2, 0, 1);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s SCRIPT [ARGS]\n", argv[0]);
    return 2;
  }
  lua_State *lua = luaL_newstate();
  luaL_openlibs(lua);
  int status = run(lua, argc, argv);
  if (status != LUA_OK)
    printf("error: %s\n", lua_tostring(lua, -1));
  lua_close(lua);
  return status == LUA_OK ? 0 : 1;
}
