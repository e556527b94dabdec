// What the page of the graph draws with: the names that static/graph.js uses, and no more.
export { MultiDirectedGraph } from "graphology";
export { default as forceAtlas2 } from "graphology-layout-forceatlas2";
export { default as Sigma } from "sigma";
export { EdgeArrowProgram, EdgeRectangleProgram } from "sigma/rendering";
