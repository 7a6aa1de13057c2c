import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** For the environment of a child that has nothing else of ours: what was compiled once starts faster. */
export function compileCacheEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
