// Put first the language of the address that was asked for, or else of the browser.
(function () {
  const items = [...document.querySelectorAll("li")];
  const folders = location.pathname.split("/");
  const short = (tag) => tag.toLowerCase().split("-")[0];
  const asked = items.find((item) => folders.includes(item.dataset.code));
  const tag = (navigator.languages || []).find((each) => items.some((item) => short(item.lang) === short(each)));
  const first = asked || (tag && items.find((item) => short(item.lang) === short(tag)));
  if (first) { first.parentElement.prepend(first); }
})();
