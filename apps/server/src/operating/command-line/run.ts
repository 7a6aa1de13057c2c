import type { Config } from '#src/config.ts'
import { commands } from './commands.ts'
import { openConnection } from './connection.ts'
import { openContext } from './context.ts'

const NOT_TAKEN = 'saved; a running server has not taken it yet'

/** Writes to stderr, for the person at the terminal. */
function warnPerson(text: string): void {
  process.stderr.write(`${text}\n`)
}

/**
 * Runs a command of operators, with or without a running server.
 * @param warn shows lines that are not part of the result
 * @returns the lines to print
 * @throws Error with a message for the operator
 */
export async function runCommand(
  config: Config,
  [name = '', ...args]: readonly string[],
  warn: (text: string) => void = warnPerson,
): Promise<string[]> {
  if (name === '') return usage()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new Error([`there is no command ${name}`, '', ...usage()].join('\n'))
  await using stack = new AsyncDisposableStack()
  const opened = await openConnection(config)
  stack.defer(() => opened.close())
  warn(`works on ${opened.place}`)
  const context = openContext(opened.connection, config)
  stack.defer(() => context.close())
  const lines = (await command.run(context, args)).map(harmless)
  if (opened.isShared && !(await context.settle())) warn(NOT_TAKEN)
  return lines
}

/** Line breaks, control characters and direction marks, by which other people's names and texts could forge lines. */
const FORGING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

function harmless(line: string): string {
  return line.replaceAll(FORGING, '\uFFFD')
}

function usage(): string[] {
  const rows = Object.values(commands).map(({ usage, does }) => `  ${usage.padEnd(44)}${does}`)
  return ['npm run operator -- <command>', '', ...rows]
}
