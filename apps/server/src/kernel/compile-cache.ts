import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** Environment for a child process that inherits nothing else: its modules start faster from the compile cache. */
export function compileCacheEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
