// Choosing many, and a notice of what is new: rows never jump, the notice leads to them.
const boxes = [...document.querySelectorAll('[form="bulk"][type=checkbox]')];
const all = document.getElementById("choose-all");
const told = document.getElementById("chosen");
function count() {
  const chosen = boxes.filter((box) => box.checked).length;
  if (told) told.textContent = chosen ? `With the ${chosen} chosen:` : "With those chosen:";
  if (all) all.checked = chosen > 0 && chosen === boxes.length;
}
if (all) {
  all.closest("label").hidden = false;
  all.addEventListener("change", () => {
    boxes.forEach((box) => { box.checked = all.checked; });
    count();
  });
}
boxes.forEach((box) => box.addEventListener("change", count));

const notice = document.querySelector(".new");
if (notice && document.body.hasAttribute("data-live") && "EventSource" in window) {
  let arrived = 0;
  const stream = new EventSource("/live");
  stream.addEventListener("change", (event) => {
    if (!["remember", "turn", "document", "decide"].includes(JSON.parse(event.data).verb)) return;
    arrived += 1;
    const link = document.createElement("a");
    link.href = "/memories";
    link.textContent = arrived === 1 ? "One new memory" : `${arrived} new memories`;
    notice.replaceChildren(link);
    notice.hidden = false;
  });
  addEventListener("pagehide", () => stream.close());
}
