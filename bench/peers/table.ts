import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figures } from './measure.ts'

export interface Row {
  name: string
  figures: Figures
}

export interface Measurement {
  rows: readonly (Row & { acknowledged: string; config: readonly string[] })[]
  /** Peers that are not installed on the machine. */
  missing: readonly string[]
  /** Peers that options exclude. */
  unwanted: readonly string[]
  /** Scenarios without figures, and why. */
  problems: readonly string[]
  /** Number of runs behind each median. */
  rounds: number
  /** Like `2026-11-21`. */
  date: string
  machine: { cpu: string; cores: number }
}

/** A column: a heading, and its figures. A dash stands for a missing figure. */
interface Column {
  heading: string
  figures: readonly string[]
  write(...values: readonly string[]): string
}

const COLUMNS: readonly Column[] = [
  {
    heading: '32 senders, 10 listeners each: messages a second',
    figures: ['send_messages_per_second'],
    write: (rate) => `${rate}`,
  },
  {
    heading: 'CPU a message (of the load)',
    figures: ['send_cpu_us_per_message', 'send_load_cpu_us_per_message'],
    write: (own, load) => `${own} µs (${load})`,
  },
  {
    heading: 'one sender: acknowledged after p50, p99',
    figures: ['single_ack_p50_ms', 'single_ack_p99_ms'],
    write: (p50, p99) => `${p50}, ${p99} ms`,
  },
  {
    heading: '1,000 listeners, 32 in flight: deliveries a second',
    figures: ['fan_out_deliveries_per_second'],
    write: (rate) => `${rate}`,
  },
  {
    heading: 'CPU a delivery (of the load)',
    figures: ['fan_out_cpu_us_per_delivery', 'fan_out_load_cpu_us_per_delivery'],
    write: (own, load) => `${own} µs (${load})`,
  },
  {
    heading: '10 messages a second to 1,000: last delivery after p50, p99',
    figures: ['paced_last_listener_p50_ms', 'paced_last_listener_p99_ms'],
    write: (p50, p99) => `${p50}, ${p99} ms`,
  },
  {
    heading: 'idle connection: memory',
    figures: ['idle_proportional_kib'],
    write: (kib) => `${kib} KiB`,
  },
]

/** The Markdown table of all servers, with the notes needed to read it. */
export function writeTable(measurement: Measurement): string {
  const { rows, missing, unwanted, problems, rounds, date, machine } = measurement
  const others = percentRange(rows.flatMap(({ figures }) => sharesOfOthers(figures)))
  return [
    `Measured on ${date}, on ${machine.cores} cores of an ${machine.cpu} that the load generator shares, one server after the`,
    `other, ${rounds === 1 ? 'one run' : `the median of ${rounds} runs`}. Other programs took ${others} of the CPU.`,
    '',
    ...tableOf(rows),
    '',
    ...(missing.length > 0 ? [`Skipped, because they are not installed: ${missing.join(', ')}.`, ''] : []),
    ...(unwanted.length > 0 ? [`Not part of this run: ${unwanted.join(', ')}.`, ''] : []),
    ...(problems.length > 0
      ? ['Failed, and therefore without figures:', '', ...problems.map((problem) => `- ${problem}.`), '']
      : []),
    'Guarantee of an acknowledgement, and settings of each server:',
    '',
    ...rows.map(({ name, acknowledged, config }) => `- ${name}: ${acknowledged}. ${linksTo(config)}.`),
    '',
    'From earlier measurements on a similar machine, with other load generators:',
    '',
    ...tableOf(readElsewhere()),
  ].join('\n')
}

function tableOf(rows: readonly Row[]): string[] {
  return [
    `| Server | ${COLUMNS.map(({ heading }) => heading).join(' | ')} |`,
    `|---|${COLUMNS.map(() => '---:|').join('')}`,
    ...rows.map(
      ({ name, figures }) => `| ${name} | ${COLUMNS.map((column) => cell(column, figures)).join(' | ')} |`,
    ),
  ]
}

function cell({ figures: names, write }: Column, figures: Figures): string {
  if (names.every((name) => figures[name] === undefined)) return '–'
  return write(...names.map((name) => number(figures[name])))
}

/** Formats a figure with three significant digits, because a benchmark is no more precise. */
function number(value: number | undefined): string {
  if (value === undefined) return '–'
  const rounded = Math.abs(value) >= 100 ? Number(value.toPrecision(3)) : Number(value.toPrecision(2))
  return rounded.toLocaleString('en-US')
}

function sharesOfOthers({
  send_others_share_of_machine,
  fan_out_others_share_of_machine,
}: Figures): number[] {
  return [send_others_share_of_machine, fan_out_others_share_of_machine].filter(
    (share) => share !== undefined,
  )
}

function percentRange(shares: readonly number[]): string {
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => Math.round(share * 100))
  return least === most ? `${most} %` : `${least} to ${most} %`
}

function linksTo(config: readonly string[]): string {
  if (config.length === 0) return 'Its defaults, without limits of requests'
  return config.map((name) => `[${name}](bench/peers/config/${name})`).join(', ')
}

function readElsewhere(): Row[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'elsewhere.json'), 'utf8'))
}
