import { type PointerEvent, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { formatShortClock } from '#src/ui/time/time.ts'
import './chart.css'
import { ChartTable } from './chart-table.tsx'
import { areaPath, axisEnd, type ChartLine, extentOf, HEIGHT, linePath } from './scale.ts'

export interface ChartTimes {
  /** Start time of the first point, in milliseconds since 1970. */
  readonly since: number
  readonly stepMs: number
}

interface ChartProps {
  title: string
  /** One or two lines; with two, each has its label. */
  lines: readonly ChartLine[]
  times: ChartTimes
  /** Formats a value with its unit. */
  format: (value: number) => string
  isBytes?: boolean
}

/** A line chart over time. Points can be read with the pointer, a finger or the arrow keys, and in a table. */
export function Chart({ title, lines, times, format, isBytes = false }: ChartProps) {
  const length = lines[0]?.values.length ?? 0
  const [point, setPoint] = useState<number | null>(null)
  const extent = extentOf(lines.flatMap(({ values }) => values))
  const end = axisEnd(extent?.highest ?? 0, isBytes)
  const shown = Math.min(point ?? length - 1, length - 1)
  const timeOf = (index: number) =>
    formatShortClock(new Date(times.since + index * times.stepMs).toISOString())
  const reading = readingAt(lines, shown, format)

  function follow(event: PointerEvent<HTMLInputElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setPoint(Math.max(0, Math.min(length - 1, Math.floor(((event.clientX - left) / width) * length))))
  }

  return (
    <figure className="chart">
      <figcaption className="chart-head">
        <span className="chart-title">{title}</span>
        <span className="chart-reading">
          {point !== null && <span className="chart-time">{timeOf(shown)}</span>}
          {reading}
        </span>
      </figcaption>
      <div className="chart-body">
        <div className="chart-axis" aria-hidden="true">
          <span>{format(end)}</span>
          <span>{format(end / 2)}</span>
          <span>{format(0)}</span>
        </div>
        <div className="chart-plot">
          <svg viewBox={`0 0 ${length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path
              className="chart-grid"
              d={`M0 0H${length}M0 ${HEIGHT / 2}H${length}M0 ${HEIGHT}H${length}`}
            />
            {lines.length === 1 && <path className="chart-area" d={areaPath(lines[0]?.values ?? [], end)} />}
            {lines.map(({ label, values }) => (
              <path key={label} className="chart-line" d={linePath(values, end)} />
            ))}
            {point !== null && <path className="chart-cursor" d={`M${shown + 0.5} 0V${HEIGHT}`} />}
          </svg>
          {extent === null && <p className="chart-empty">{t('No data yet')}</p>}
          <input
            type="range"
            className="chart-reader"
            min={0}
            max={length - 1}
            value={shown}
            aria-label={t('{title}: point in time', { title })}
            aria-valuetext={`${timeOf(shown)}: ${reading}`}
            onChange={(event) => setPoint(event.currentTarget.valueAsNumber)}
            onPointerMove={follow}
            onPointerLeave={() => setPoint(null)}
            onBlur={() => setPoint(null)}
          />
        </div>
        <div className="chart-hours" aria-hidden="true">
          {[0, 1 / 3, 2 / 3, 1].map((part) => (
            <span key={part}>{timeOf(Math.round((length - 1) * part))}</span>
          ))}
        </div>
      </div>
      <div className="chart-foot">
        {extent !== null && (
          <span>
            {t('Lowest {lowest}, highest {highest}', {
              lowest: format(extent.lowest),
              highest: format(extent.highest),
            })}
          </span>
        )}
        <ChartTable title={title} lines={lines} timeOf={timeOf} format={format} />
      </div>
    </figure>
  )
}

function readingAt(lines: readonly ChartLine[], index: number, format: (value: number) => string): string {
  const texts = lines.map(({ label, values }) => {
    const value = values[index] ?? null
    const text = value === null ? t('no data') : format(value)
    return lines.length > 1 ? t('{label}: {value}', { label, value: text }) : text
  })
  return texts.join(' · ')
}
