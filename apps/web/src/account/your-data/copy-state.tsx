import type { Export } from '@foyer/protocol/exports'
import { Exports } from '@foyer/sdk/api/exports'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { DownloadExport } from '../exports/download-export.tsx'

/** The state of a copy of the user's data, and the button to download it. */
export function CopyState({ copy }: { copy: Export }) {
  const { client } = useSession()
  return (
    <>
      <p className="settings-note" role="status">
        {stateOf(copy)}
      </p>
      {copy.state === 'ready' && (
        <div className="form-actions">
          <DownloadExport address={() => client.api(Exports).download(copy.id)} />
        </div>
      )}
    </>
  )
}

function stateOf({ state, failure, size_bytes, expires_at }: Export): string {
  if (state === 'ready')
    return t('Your copy is ready ({size}). You can download it until {time}.', {
      size: formatSize(size_bytes ?? 0),
      time: formatFull(expires_at),
    })
  if (state !== 'failed') return t('We’re preparing your copy. You can close this page.')
  return failure === 'storage_full'
    ? t('This server doesn’t have enough storage for your copy right now. Try again later.')
    : t('Couldn’t prepare your copy. Try again later.')
}
