import type { ServerProcess, UpdateSnapshot } from '@foyer/protocol/server-health'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { joined } from '#src/language/formats.ts'
import { counted, t } from '#src/language/texts.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { useRefresh } from '../use-refresh.ts'

const ask = (client: Client, options: CallOptions) => client.api(Administration).overview(options)

/** The version that runs, and whether all processes run it. */
export function UpdatesSection() {
  const { answer, again } = useRefresh(ask)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  const { version, last_migration, processes, snapshot } = answer.value
  const isMixed = processes.some((one) => one.version !== version)
  return (
    <>
      <div className="settings-line">
        <p>
          <strong>{t('Version {version}', { version })}</strong>
          <span>{t('Latest migration: {name}', { name: last_migration })}</span>
          <span>{snapshotText(snapshot)}</span>
        </p>
      </div>
      {isMixed && (
        <p className="settings-why">
          {t('Some processes run a different version. That’s only normal during an update.')}
        </p>
      )}
      <section className="operator-part" aria-labelledby="operator-processes">
        <h4 id="operator-processes">{t('Processes')}</h4>
        <ul className="settings-list">
          {processes.map((one) => (
            <ProcessEntry key={one.id} entry={one} />
          ))}
        </ul>
      </section>
    </>
  )
}

function snapshotText(snapshot: UpdateSnapshot | null): string {
  if (snapshot === null) return t('There is no snapshot to go back to.')
  const { kind, version, made_at, kept_until, bytes } = snapshot
  const values = {
    version: version ?? t('unknown'),
    time: formatFull(made_at),
    end: formatFull(kept_until),
    size: formatSize(bytes),
  }
  return kind === 'before'
    ? t(
        'Until {end}, “npm run rollback” goes back to version {version} from {time}. Its snapshot uses up to {size}.',
        values,
      )
    : t(
        'Until {end}, “npm run rollback -- --undo” returns to version {version} from {time}. Its snapshot uses up to {size}.',
        values,
      )
}

function ProcessEntry({ entry }: { entry: ServerProcess }) {
  const { version, services, connections, started_at } = entry
  return (
    <li className="settings-row">
      <span className="settings-names">
        <span className="settings-name">{t('Version {version}', { version })}</span>
        <span className="settings-note operator-notes">
          <span>{joined(services)}</span>
          <span>{counted(connections, '{count} connection', '{count} connections')}</span>
          <time dateTime={started_at} title={formatFull(started_at)}>
            {t('started {ago}', { ago: formatAgo(started_at) })}
          </time>
        </span>
      </span>
    </li>
  )
}
