// Offer first what the reader chose before, or what the browser asks for. Nothing is redirected.
(function () {
  const links = [...document.querySelectorAll("a[hreflang]")];
  const key = "polytab.language";
  let chosen = null;
  try { chosen = localStorage.getItem(key); } catch { /* storage is closed: suggest only */ }
  const wanted = [chosen, ...(navigator.languages || [])].filter(Boolean);
  const short = (tag) => tag.toLowerCase().split("-")[0];
  const tag = wanted.find((each) => links.some((link) => short(link.hreflang) === short(each)));
  const first = tag && links.find((link) => short(link.hreflang) === short(tag));
  if (first) {
    first.classList.add("suggested");
    first.closest("ul").prepend(first.closest("li"));
  }
  for (const link of links) {
    link.addEventListener("click", () => {
      try { localStorage.setItem(key, link.hreflang); } catch { /* the same */ }
    });
  }
})();
