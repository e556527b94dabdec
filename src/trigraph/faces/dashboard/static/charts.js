// Draws every chart from the table that stands with it: the first column is the time, a heading with a colour is a
// series. Without this script the tables are there all the same.
const HEIGHT = 190;
const WHOLE = [...Array(12).keys()].flatMap((power) => [1, 2, 5].map((n) => n * 10 ** power));
const LENGTH = { day: 86400, week: 7 * 86400 };
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });
const written = { percent: (value) => `${Math.round(value * 10) / 10} %`, count: (value) => short.format(value) };

function read(figure) {
  const heads = [...figure.querySelectorAll("thead th")];
  const rows = [...figure.querySelectorAll("tbody tr")].map((row) => [...row.cells]);
  const column = (place) =>
    rows.map((row) => (row[place].dataset.value === undefined ? null : Number(row[place].dataset.value)));
  const series = heads
    .map((head, place) => ({ label: head.textContent, token: head.dataset.colour, values: place ? column(place) : [] }))
    .filter((one) => one.token);
  return { times: column(0), step: heads[0].textContent, series };
}

// Bars upon each other: each series is drawn from the ground to the sum of itself and those before it, the last first.
function stacked(series) {
  const sums = [];
  series.forEach((one, place) => sums.push(one.values.map((value, at) => (value ?? 0) + (place ? sums[place - 1][at] : 0))));
  return series.map((one, place) => ({ ...one, drawn: sums[place] })).reverse();
}

function options(figure, shown, width, step) {
  const bars = figure.dataset.chart === "stack";
  const write = written[figure.dataset.unit];
  const axis = { stroke: colour("--dim"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
  const series = shown.map((one, place) => ({
    label: one.label,
    stroke: colour(one.token),
    fill: bars ? colour(one.token) : undefined,
    width: bars ? 0 : 2,
    dash: !bars && shown.length > 1 && place === 0 ? [5, 4] : undefined,
    points: bars ? { show: false } : { size: 6, fill: colour(one.token) },
    paths: bars ? uPlot.paths.bars({ size: [0.75, 36] }) : undefined,
    value: (_, __, ___, at) => (at === null || one.values[at] === null ? "–" : write(one.values[at])),
  }));
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, first, last) => [first - LENGTH[step] / 2, last + LENGTH[step] / 2] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.08, 1)] },
    },
    series: [{ label: step, value: (_, seconds) => (seconds === null ? "" : days.format(seconds * 1000)) }, ...series],
    axes: [
      { ...axis, grid: { show: false }, values: (_, ticks) => ticks.map((seconds) => days.format(seconds * 1000)), incrs: [1, 2, 7, 14, 28, 84, 168].map((n) => n * 86400), space: 60, size: 30 },
      { ...axis, size: 52, incrs: WHOLE, values: (_, ticks) => ticks.map(write) },
    ],
  };
}

function draw(figure) {
  const plot = figure.querySelector(".plot");
  const { times, step, series } = read(figure);
  const shown = figure.dataset.chart === "stack" ? stacked(series) : series.map((one) => ({ ...one, drawn: one.values }));
  plot.hidden = false;
  plot.replaceChildren();
  return new uPlot(options(figure, shown, plot.clientWidth, step), [times, ...shown.map((one) => one.drawn)], plot);
}

for (const figure of document.querySelectorAll("figure[data-chart]")) {
  let drawn = draw(figure);
  const plot = figure.querySelector(".plot");
  new ResizeObserver(() => {
    if (plot.clientWidth !== drawn.width) drawn.setSize({ width: plot.clientWidth, height: HEIGHT });
  }).observe(plot);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawn.destroy();
    drawn = draw(figure);
  });
}
