// "/" puts the cursor into the search field, unless the reader is typing already.
document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const field = document.getElementById("q");
    field.focus();
    field.select();
  }
});
