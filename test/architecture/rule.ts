import { type Import, importsOf } from './imports.ts'
import type { Files } from './repository-files.ts'
import { isCode, type Node, parseSource, type Source, type Violation, violationAt } from './source.ts'
import { type Workspace, workspacesOf } from './workspaces.ts'

/** The input of all rules, computed once from the files' text. */
export interface Tree {
  files: Files
  sources: readonly Source[]
  workspaces: readonly Workspace[]
  imports: readonly Import[]
}

/** A rule. Its `name` completes the sentence "The rule holds that …". */
export interface Rule {
  name: string
  check: (tree: Tree) => Violation[]
}

/** Test of a rule: the files `breaks` violate it exactly at `at`; `keeps` differ in one detail and violate nothing. */
export interface Plant {
  rule: Rule
  because: string
  breaks: Files
  at: readonly string[]
  keeps: Files
}

export function treeOf(files: Files): Tree {
  const workspaces = workspacesOf(files)
  const sources = Object.entries(files)
    .filter(([path]) => isCode(path))
    .map(([path, text]) => parseSource(path, text))
  return { files, workspaces, sources, imports: sources.flatMap((source) => importsOf(source, workspaces)) }
}

/** Makes a rule that checks one file at a time. */
export function sourceRule(name: string, check: (source: Source) => Violation[]): Rule {
  return { name, check: (tree) => tree.sources.flatMap(check) }
}

/** Makes a rule that checks one node at a time. @param find returns the advice for a violating node */
export function nodeRule(name: string, find: (node: Node) => string | undefined): Rule {
  return sourceRule(name, (source) =>
    source.places.flatMap(({ node }) => {
      const message = find(node)
      return message === undefined ? [] : [violationAt(source, node, message)]
    }),
  )
}
