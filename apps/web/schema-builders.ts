import { globSync, readFileSync } from 'node:fs'

/** A function that builds a part of a schema, like `const Title = () => Text(1, 100)`. */
const BUILDER = /^(?:export )?const ([A-Z]\w*) = (?:<[^>]+>)?\(/gm

/**
 * Returns the names of the functions that build schemas, in all files of a folder. Rolldown must be
 * given this list of functions without side effects, because it ignores `@__NO_SIDE_EFFECTS__` at their declarations.
 */
export function schemaBuilders(folder: string): string[] {
  const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }).map((path) =>
    readFileSync(`${folder}/${path}`, 'utf8'),
  )
  const names = sources.flatMap((source) => [...source.matchAll(BUILDER)].map(([, name = '']) => name))
  return [...new Set(names)]
}
