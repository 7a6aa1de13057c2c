export type Values = readonly (number | null)[]

export interface ChartLine {
  readonly label: string
  readonly values: Values
}

const BYTES_STEP = 1024

/**
 * Returns the end of an axis: the next round number whose half, the middle of the axis, is also round.
 * @param isBytes whether units are powers of 1024
 */
export function axisEnd(highest: number, isBytes: boolean): number {
  if (highest <= 0) return 1
  const unit = isBytes ? BYTES_STEP ** Math.floor(Math.log(highest) / Math.log(BYTES_STEP)) : 1
  const amount = highest / unit
  const power = 10 ** Math.floor(Math.log10(amount))
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= amount) ?? 10
  return step * power * unit
}

/** Returns the extent of values; null if there are none. */
export function extentOf(values: Values): { lowest: number; highest: number } | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return null
  return { lowest: Math.min(...known), highest: Math.max(...known) }
}

/** Height of the drawing in SVG units. Its width is one unit per point. */
export const HEIGHT = 100

/** Returns the line through values as an SVG path, with a gap for each null. A value between gaps is a dot. */
export function linePath(values: Values, end: number): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const [x, y] = [index + 0.5, HEIGHT - (value / end) * HEIGHT]
      const isFirst = (values[index - 1] ?? null) === null
      // A line of no length is drawn as a dot by its round end.
      return `${isFirst ? 'M' : 'L'}${x} ${round(y)}${isFirst ? 'h0' : ''}`
    })
    .join('')
}

/** Returns the area below the line, as an SVG path. */
export function areaPath(values: Values, end: number): string {
  return runsOf(values)
    .map(({ from, run }) => {
      const points = run.map(
        (value, index) => `L${from + index + 0.5} ${round(HEIGHT - (value / end) * HEIGHT)}`,
      )
      return `M${from + 0.5} ${HEIGHT}${points.join('')}V${HEIGHT}Z`
    })
    .join('')
}

interface Run {
  readonly from: number
  readonly run: number[]
}

/** Returns the runs of values between gaps. */
function runsOf(values: Values): Run[] {
  const runs: Run[] = []
  values.forEach((value, index) => {
    if (value === null) return
    const last = runs.at(-1)
    if (last !== undefined && last.from + last.run.length === index) last.run.push(value)
    else runs.push({ from: index, run: [value] })
  })
  return runs
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
