(() => {
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      layers.push(colour);
      if (colour.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const low = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.closest("script, style, .hidden, .skip, noscript")) continue;
    if (!element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const isDrawing = element.namespaceURI.endsWith("svg");
    const behind = isDrawing ? background(element.closest("svg").parentElement) : background(element);
    const front = over(parse(isDrawing ? style.fill : style.color), behind);
    const [dark, light] = [luminance(front), luminance(behind)].sort((a, b) => a - b);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5)
      low.push(`${texts.currentNode.textContent.trim().slice(0, 30)}: ${contrast.toFixed(2)} (${element.className})`);
  }
  return [...new Set(low)].slice(0, 10);
})();
