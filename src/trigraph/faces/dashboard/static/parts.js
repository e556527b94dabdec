// A link with data-part stands for a part of the page that it leads to: that is fetched, and takes the place of the
// section in which the link stands. Without this script, or if it cannot be fetched, the link is there.
for (const link of document.querySelectorAll("a[data-part]")) {
  const place = link.closest("section");
  place.setAttribute("aria-busy", "true");
  fetch(link.href)
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(answer.status))))
    .then((text) => {
      const part = new DOMParser().parseFromString(text, "text/html").querySelector(link.dataset.part);
      if (part) place.replaceWith(document.adoptNode(part));
    })
    .catch(() => {})
    .finally(() => place.removeAttribute("aria-busy"));
}
