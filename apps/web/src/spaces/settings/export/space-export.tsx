import type { Export } from '@foyer/protocol/exports'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { SpaceArchives } from '@foyer/sdk/api/space-archives'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useState } from 'react'
import { DownloadExport } from '#src/account/exports/download-export.tsx'
import { useNewestExport } from '#src/account/exports/use-newest-export.ts'
import { OwnerProof } from '#src/account/passkeys/owner-proof.tsx'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { formatFull } from '#src/ui/time/time.ts'

/** Makes an archive of the space, and downloads it. */
export function SpaceExport({ space }: { space: SpaceEntry }) {
  const [asking, setAsking] = useState(false)
  const { client } = useSession()
  const list = useCallback(
    (asker: Client, options: CallOptions) => asker.api(SpaceArchives).listExports(space.id, options),
    [space.id],
  )
  const { answer, again, newest, isMaking, show } = useNewestExport(list)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  return (
    <div className="settings-line">
      <p>
        <strong>{t('Export')}</strong>
        <span>
          {t(
            'An archive of all rooms, roles and messages, and up to 1 GB of files. You can import it on any Foyer server.',
          )}
        </span>
        <ExportState newest={newest} />
      </p>
      {newest?.state === 'ready' ? (
        <DownloadExport address={() => client.api(SpaceArchives).download(space.id, newest.id)} />
      ) : (
        <Button pending={isMaking} onClick={() => setAsking(true)}>
          {t('Export the space')}
        </Button>
      )}
      {asking && <AskForExport space={space} onClose={() => setAsking(false)} onAsked={show} />}
    </div>
  )
}

function ExportState({ newest }: { newest: Export | undefined }) {
  if (newest === undefined) return null
  return <span role="status">{stateText(newest)}</span>
}

function stateText({ state, failure, size_bytes, expires_at }: Export): string {
  if (state === 'failed')
    return failure === 'storage_full'
      ? t('This server doesn’t have enough storage for the archive right now. Try again later.')
      : t('The export failed. Try again.')
  if (state !== 'ready') return t('We’re preparing the archive. We’ll email you when it’s ready.')
  const size = formatSize(size_bytes ?? 0)
  return t('Ready ({size}). You can download it until {time}.', { size, time: formatFull(expires_at) })
}

interface AskForExportProps {
  space: SpaceEntry
  onClose: () => void
  onAsked: (made: Export) => void
}

function AskForExport({ space, onClose, onAsked }: AskForExportProps) {
  const { client } = useSession()

  async function ask(proof: ProofBody) {
    onAsked(await client.api(SpaceArchives).export(space.id, proof))
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Export the space')}
      description={t('The archive has everything that was written here. Keep it safe.')}
    >
      <OwnerProof action={t('Export')} run={ask} onCancel={onClose} />
    </Modal>
  )
}
