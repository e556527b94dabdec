// A link with data-part stands for a part of the page that it leads to: that is fetched when the page has been painted,
// once for all its parts, and takes the place of the section in which the link stands. Without this script, or if it
// cannot be fetched, the link is there.
const pages = new Map();

function fetched(address) {
  if (!pages.has(address)) {
    const page = fetch(address)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.status))))
      .then((text) => new DOMParser().parseFromString(text, "text/html"));
    pages.set(address, page);
  }
  return pages.get(address);
}

function take(link, place) {
  fetched(link.href)
    .then((page) => {
      const part = page.querySelector(link.dataset.part);
      if (part) place.replaceWith(document.adoptNode(part));
    })
    .catch(() => {})
    .finally(() => place.removeAttribute("aria-busy"));
}

for (const link of document.querySelectorAll("a[data-part]")) {
  const place = link.closest("section");
  place.setAttribute("aria-busy", "true");
  requestAnimationFrame(() => setTimeout(() => take(link, place)));
}
