import type { Import } from './imports.ts'
import type { Files } from './repository-files.ts'
import type { Rule } from './rule.ts'
import { isCode, type Violation } from './source.ts'

/** Required by the two graph rules, which ignore imports that were not resolved to a file. */
export const resolves: Rule = {
  name: 'every import of our own code leads to a file',
  check: ({ files, imports }) => imports.filter(({ target }) => isDangling(target, files)).map(asViolation),
}

export const acyclic: Rule = {
  name: 'imports form no cycle, types included',
  check: ({ imports }) => findCycles(Map.groupBy(imports.filter(leadsToFile), ({ from }) => from)),
}

export const importGraphRules: readonly Rule[] = [resolves, acyclic]

type FileImport = Import & { target: { kind: 'file' } }

function leadsToFile(edge: Import): edge is FileImport {
  return edge.target.kind === 'file'
}

/** Returns true for an import that leads nowhere. Ignores stylesheets, pictures and other files that the bundler resolves. */
function isDangling(target: Import['target'], files: Files): boolean {
  if (target.kind === 'file') return isCode(target.path) && !(target.path in files)
  return target.kind === 'unknown'
}

function asViolation({ from, line, specifier }: Import): Violation {
  return {
    path: from,
    line,
    message: `${specifier} is no file: correct the path, or the exports of its package`,
  }
}

/** Searches depth first: an import of a file on the trail closes a cycle. Finds at least one cycle per group of cyclic files. */
function findCycles(graph: Map<string, FileImport[]>): Violation[] {
  const trail: string[] = []
  const finished = new Set<string>()
  const cycles: Violation[] = []
  const visit = (path: string) => {
    trail.push(path)
    for (const { from, line, target } of graph.get(path) ?? []) {
      const start = trail.indexOf(target.path)
      if (start >= 0) cycles.push({ path: from, line, message: cycleMessage(trail.slice(start)) })
      else if (!finished.has(target.path)) visit(target.path)
    }
    trail.pop()
    finished.add(path)
  }
  for (const path of graph.keys()) if (!finished.has(path)) visit(path)
  return cycles
}

function cycleMessage(cycle: readonly string[]): string {
  return `${[...cycle, cycle[0]].join(' → ')}: move what both need below both`
}
