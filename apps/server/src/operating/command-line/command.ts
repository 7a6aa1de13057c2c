import type { Context } from './context.ts'

/** A command. It returns the lines that it prints. */
export interface Command {
  readonly usage: string
  readonly does: string
  run(context: Context, args: readonly string[]): Promise<string[]>
}
