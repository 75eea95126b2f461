// Classes, generators, promises, big integers, regular expressions and errors, in QuickJS.

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
console.log("fib", fib(17));

class Cave {
  #depth = 10;
  static count = 0;
  constructor(name) { this.name = name; Cave.count++; }
  get depth() { return this.#depth; }
  set depth(d) { if (d < 0) throw new RangeError("negative"); this.#depth = d; }
  *[Symbol.iterator]() { for (let i = 0; i < this.#depth; i += 4) yield `${this.name}@${i}`; }
}
class Shaft extends Cave {
  toString() { return `Shaft(${this.name})`; }
}
const shaft = new Shaft("alpha");
shaft.depth = 13;
console.log(String(shaft), [...shaft].join(" "), Cave.count, shaft instanceof Cave);
try { shaft.depth = -1; } catch (e) { console.log(e.name, e.message, e instanceof RangeError); }

const { a, ...rest } = { a: 1, b: [2, 3], c: { d: null } };
console.log(a, JSON.stringify(rest), JSON.stringify({ u: undefined, n: NaN, s: "é\n\u0001" }, null, 1));
console.log([5, 1, 4].toSorted(), [1, [2, [3]]].flat(2), Object.entries({ x: 1 }), [3, 2, 1].at(-1), "abc".padStart(5, "*"));
console.log(123n ** 20n, -(2n ** 64n) / 3n, BigInt.asUintN(8, 300n), 0.1 + 0.2, 1 / 3, 1e21, 5e-324, (255).toString(36), (1.005).toFixed(2));
console.log("in 2024-05".replace(/(?<y>\d{4})-(?<m>\d\d)/, "$<m>/$<y>"), [..."a1b22".matchAll(/\d+/g)].map(m => m.index), /^\p{Lu}/u.test("Éa"), [..."añ𝄞"].length);
console.log(new Map([["k", 1]]).get("k"), new Set([1, 1, 2]).size, new Date(0).toISOString(), Math.hypot(3, 4), parseInt("0x1f"), [1, 10, 9].sort());
console.log(new Uint8Array([1, 2, 300]).toString(), new Float64Array(new Uint8Array([0, 0, 0, 0, 0, 0, 248, 63]).buffer)[0], encodeURIComponent("é x"));

function* naturals() { let n = 0; while (true) n += (yield n) ?? 1; }
const it = naturals();
console.log(it.next().value, it.next().value, it.next(5).value, it.return("end").value);

const order = [];
(async () => {
  order.push("start");
  await null;
  order.push("after");
  try { await Promise.reject(new Error("refused")); } catch (e) { order.push(e.message); }
  console.log(order.join(), (await Promise.allSettled([1, Promise.reject(2)])).map(r => r.status).join());
})();
order.push("sync");

const handler = { get: (t, k) => (k in t ? t[k] : `no ${String(k)}`), has: () => true };
const proxy = new Proxy({ real: 1 }, handler);
console.log(proxy.real, proxy.other, "x" in proxy, Reflect.ownKeys(proxy));
let depth = 0;
(function deep() { depth++; try { deep(); } catch (e) { if (!(e instanceof RangeError) && e.name !== "InternalError") throw e; } })();
console.log(depth > 100);
label: for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) { if (j === 1) continue label; if (i === 2) break label; console.log(i, j); }
