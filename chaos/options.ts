import { parseArgs } from 'node:util'

export interface Options {
  seed: number
  /** Number of acknowledged messages that end the load. */
  sends: number
  /** Time limit of the load, in minutes. */
  minutes: number
  clients: number
  processes: number
  spaces: number
  groups: number
  /** Name of the only kind of fault to run. */
  only: string | undefined
  /** True to save the report in chaos/results. */
  isRecorded: boolean
  logLevel: string
}

const NUMBERS = { sends: 200_000, minutes: 20, clients: 300, processes: 3, spaces: 10, groups: 20 }

/** @throws Error that names the wrong option */
export function readOptions(args: readonly string[], now: number): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: String(now % 1_000_000) },
      sends: { type: 'string', default: String(NUMBERS.sends) },
      minutes: { type: 'string', default: String(NUMBERS.minutes) },
      clients: { type: 'string', default: String(NUMBERS.clients) },
      processes: { type: 'string', default: String(NUMBERS.processes) },
      spaces: { type: 'string', default: String(NUMBERS.spaces) },
      groups: { type: 'string', default: String(NUMBERS.groups) },
      only: { type: 'string' },
      record: { type: 'boolean', default: false },
      'log-level': { type: 'string', default: 'info' },
    },
  })
  const number = (name: 'seed' | keyof typeof NUMBERS) => positive(name, values[name])
  return {
    seed: number('seed'),
    sends: number('sends'),
    minutes: number('minutes'),
    clients: number('clients'),
    processes: number('processes'),
    spaces: number('spaces'),
    groups: number('groups'),
    only: values.only,
    isRecorded: values.record,
    logLevel: values['log-level'],
  }
}

function positive(name: string, value: string): number {
  const number = Number(value)
  if (!(number >= 0) || value === '') throw new Error(`--${name} must be a number`)
  return number
}
