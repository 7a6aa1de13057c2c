import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { StillMissing } from '../setup/still-missing.tsx'
import { useRefresh } from '../use-refresh.ts'
import { Figures } from './figures.tsx'
import { HealthCharts } from './health-charts.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Administration).overview(options)

/** Shows missing settings, counts, and the server's health in the last hours. */
export function OverviewSection() {
  const { answer, again } = useRefresh(ask)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  return (
    <>
      <StillMissing hasRestartNote />
      <Figures overview={answer.value} />
      <HealthCharts />
    </>
  )
}
