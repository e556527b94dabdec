// Says what drawing.min.js is made of: each package with its version, licence and digest, and the digest of the file.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const built = readFileSync("drawing.min.js");
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const used = Object.entries(packages)
  .filter(([path]) => path.startsWith("node_modules/") && !path.includes("esbuild") && !path.includes("graphology-types"))
  .map(([path, { version, integrity }]) => {
    const { name, license } = JSON.parse(readFileSync(`${path}/package.json`, "utf8"));
    return { name, version, license, integrity };
  });
const file = { name: "drawing.min.js", bytes: built.length, sha256: createHash("sha256").update(built).digest("hex") };
const tool = { name: "esbuild", version: packages["node_modules/esbuild"].version };
console.log(JSON.stringify({ file, tool, packages: used }, null, 2));
