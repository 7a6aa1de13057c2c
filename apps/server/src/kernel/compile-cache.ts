import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** Returns the environment of a child process that inherits nothing else. The compile cache makes it start faster. */
export function compileCacheEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
