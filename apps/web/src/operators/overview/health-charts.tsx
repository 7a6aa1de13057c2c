import type { ServerHealth } from '@foyer/protocol/server-health'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useState } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAmount } from '../amounts.ts'
import { Chart } from '../chart/chart.tsx'
import type { ChartLine } from '../chart/scale.ts'
import { useRefresh } from '../use-refresh.ts'
import './health-charts.css'

type Ask = (client: Client, options: CallOptions) => Promise<ServerHealth>

const askFor =
  (hours: number): Ask =>
  (client, options) =>
    client.api(Administration).health({ hours }, options)

const spans: readonly { label: string; ask: Ask }[] = [
  { label: t('1 hour'), ask: askFor(1) },
  { label: t('6 hours'), ask: askFor(6) },
  { label: t('24 hours'), ask: askFor(24) },
]
const WHOLE_DAY = 2

interface ChartEntry {
  readonly title: string
  readonly lines: (health: ServerHealth) => readonly ChartLine[]
  readonly format: (value: number) => string
  readonly isBytes?: boolean
}

const one = (label: string, read: (health: ServerHealth) => ChartLine['values']) => ({
  title: label,
  lines: (health: ServerHealth) => [{ label, values: read(health) }],
})
const milliseconds = (value: number) => t('{amount} ms', { amount: formatAmount(value) })

/** In display order. */
const charts: readonly ChartEntry[] = [
  { ...one(t('Connections'), (health) => health.connections), format: formatAmount },
  { ...one(t('Messages per minute'), (health) => health.messages), format: formatAmount },
  { ...one(t('Requests per minute'), (health) => health.requests), format: formatAmount },
  { ...one(t('Server errors per minute'), (health) => health.errors), format: formatAmount },
  {
    title: t('Response time'),
    lines: (health) => [
      { label: t('median'), values: health.p50_ms },
      { label: t('99th percentile'), values: health.p99_ms },
    ],
    format: milliseconds,
  },
  { ...one(t('Event loop delay'), (health) => health.lag_ms), format: milliseconds },
  { ...one(t('Processors in use'), (health) => health.cpu), format: formatAmount },
  { ...one(t('Memory'), (health) => health.memory_bytes), format: formatSize, isBytes: true },
  { ...one(t('Database size'), (health) => health.database_bytes), format: formatSize, isBytes: true },
]

/** The health of the server as lines over the last hours. */
export function HealthCharts() {
  const [chosen, setChosen] = useState(WHOLE_DAY)
  const { answer, again, isOutdated } = useRefresh(spans[chosen]?.ask ?? askFor(1))
  return (
    <section className="operator-part" aria-labelledby="operator-health">
      <div className="operator-part-head">
        <h4 id="operator-health">{t('Health')}</h4>
        <fieldset className="health-spans">
          <legend className="visually-hidden">{t('Time span')}</legend>
          {spans.map(({ label }, index) => (
            <Button key={label} aria-pressed={index === chosen} onClick={() => setChosen(index)}>
              {label}
            </Button>
          ))}
        </fieldset>
      </div>
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      {answer.state === 'loading' && <Skeleton />}
      {answer.state === 'here' && <Charts health={answer.value} isOutdated={isOutdated} />}
    </section>
  )
}

function Charts({ health, isOutdated }: { health: ServerHealth; isOutdated: boolean }) {
  const times = { since: Date.parse(health.since), stepMs: health.step_seconds * 1000 }
  return (
    <div className="health-charts" aria-busy={isOutdated}>
      {charts.map(({ title, lines, format, isBytes }) => (
        <Chart
          key={title}
          title={title}
          lines={lines(health)}
          times={times}
          format={format}
          isBytes={isBytes ?? false}
        />
      ))}
    </div>
  )
}
