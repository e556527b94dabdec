// Single keys. "/" searches, j and k go through a list, x chooses, "?" shows them all; an element with data-key is
// pressed by its key: within the current row first, then anywhere. They can be turned off in the list of keys.
const STORED = "trigraph-keys";
const dialog = document.getElementById("keys");
const switched = document.getElementById("keys-on");
const on = () => localStorage.getItem(STORED) !== "off";
const typing = () => document.activeElement?.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());
let current = null;

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(current);
  current?.classList.remove("here");
  current = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  current.classList.add("here");
  const target = current.querySelector("a[href]") ?? current;
  if (target === current) current.tabIndex = -1;
  target.focus();
  current.scrollIntoView({ block: "nearest" });
}

function press(key) {
  const wanted = `[data-key="${CSS.escape(key)}"]`;
  const found = current?.querySelector(wanted) ?? document.querySelector(`.toast ${wanted}`) ??
    (rows().some((row) => row.querySelector(wanted)) ? null : document.querySelector(wanted));
  found?.click();
  return Boolean(found);
}

document.addEventListener("keydown", (event) => {
  if (typing() || event.ctrlKey || event.metaKey || event.altKey || dialog?.open) return;
  if (!on()) return;
  if (event.key === "?") {
    dialog?.showModal();
  } else if (event.key === "/") {
    const field = document.getElementById("q");
    field?.focus();
    field?.select();
  } else if (event.key === "j" || event.key === "k") {
    step(event.key === "j" ? 1 : -1);
  } else if (event.key === "x" && current?.querySelector("input[type=checkbox]")) {
    current.querySelector("input[type=checkbox]").click();
  } else if (!press(event.key)) {
    return;
  }
  event.preventDefault();
});

const opener = document.getElementById("keys-open");
if (opener) {
  opener.hidden = false;
  opener.addEventListener("click", () => dialog?.showModal());
}
if (switched) {
  switched.checked = on();
  switched.addEventListener("change", () => localStorage.setItem(STORED, switched.checked ? "on" : "off"));
}
