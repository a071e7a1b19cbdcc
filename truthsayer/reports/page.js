const form = document.getElementById("filter");
const find = document.getElementById("find");
const state = document.getElementById("state");
const articles = Array.from(document.querySelectorAll("article, tr.rule"), (each) => [each, each.textContent.toLowerCase()]);

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const [article, text] of articles) {
    const fits = article.classList.contains(state.value) && words.every((word) => text.includes(word));
    article.hidden = !fits;
    shown += fits;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("article:not([hidden]), tr.rule:not([hidden])");
  }
  document.getElementById("shown").textContent = shown + " of " + articles.length;
}

form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
// A link to something that the filter hides shows it again.
window.addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.closest("[hidden]")) {
    form.reset();
    filter();
    target.scrollIntoView();
  }
});
filter();
