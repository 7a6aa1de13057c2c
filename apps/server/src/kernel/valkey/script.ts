import { createHash } from 'node:crypto'
import type { Commands } from './connecting.ts'

/** A script in Lua. It runs as a whole, or not at all. */
export class Script {
  readonly #lua: string
  readonly #sha: string

  constructor(lua: string) {
    this.#lua = lua
    this.#sha = createHash('sha1').update(lua).digest('hex')
  }

  /** @param keys with the same hash tag, so that a cluster stores them on the same node */
  async run(
    commands: Commands,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await commands.evalsha(this.#sha, keys.length, ...keys, ...args)
    } catch (error) {
      // Valkey has not run the script since it was started.
      if (!isUnknownScript(error)) throw error
      return commands.eval(this.#lua, keys.length, ...keys, ...args)
    }
  }
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}
