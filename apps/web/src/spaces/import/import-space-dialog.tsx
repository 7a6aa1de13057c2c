import type { SpaceImport } from '@foyer/protocol/space-imports'
import { SpaceArchives } from '@foyer/sdk/api/space-archives'
import { ApiError } from '@foyer/sdk/rest'
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { errorText, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { ArchiveField } from './archive-field.tsx'
import { ImportResult } from './import-result.tsx'

/** Interval at which the dialog requests the state of a running import. */
const LOOK_EVERY_MS = 1000

/** Creates a space from an archive that its owner exported, here or elsewhere. */
export function ImportSpaceDialog({ onClose }: { onClose: () => void }) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const { run, pending, error } = useAction()
  const [begun, setBegun] = useState<SpaceImport | null>(null)
  const isRunning = begun !== null && begun.state !== 'done' && begun.state !== 'failed'
  useEarlier(setBegun)
  useLooking(isRunning ? begun.id : null, setBegun)

  function open(spaceId: string) {
    onClose()
    navigate(`/spaces/${spaceId}`)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Import a space')}
      description={t(
        'Choose the archive of an exported space. You’ll own the new space and be its only member. Messages show their authors by name only.',
      )}
    >
      <ArchiveField
        pending={pending || isRunning}
        onChoose={(file) => run(async () => setBegun(await client.api(SpaceArchives).import(file)))}
      />
      {begun?.result != null && begun.space_id !== null ? (
        <ImportResult result={begun.result} spaceId={begun.space_id} onOpen={open} />
      ) : (
        <p role="status">{isRunning && t('The space is being imported. This may take a few minutes.')}</p>
      )}
      <ErrorLine message={error ?? failureText(begun)} />
      <div className="form-actions">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Modal>
  )
}

/** Shows the newest import of the last day, which may have continued or failed while the dialog was closed. */
function useEarlier(onFound: Dispatch<SetStateAction<SpaceImport | null>>): void {
  const { client } = useSession()
  useEffect(() => {
    const asking = new AbortController()
    client
      .api(SpaceArchives)
      .listImports({ signal: asking.signal })
      // An interrupted upload is ignored: the next one replaces it.
      .then(([newest]) =>
        onFound((begun) => begun ?? (newest?.state === 'uploading' ? null : (newest ?? null))),
      )
      .catch(() => undefined)
    return () => asking.abort()
  }, [client, onFound])
}

function useLooking(importId: string | null, onLooked: (found: SpaceImport | null) => void): void {
  const { client } = useSession()
  useEffect(() => {
    if (importId === null) return
    const asking = new AbortController()
    const look = () =>
      client
        .api(SpaceArchives)
        .getImport(importId, { signal: asking.signal })
        .then(onLooked, (error: unknown) => {
          // The server no longer has the import. After any other error, the next request tries again.
          if (error instanceof ApiError && error.status === 404) onLooked(null)
        })
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => {
      asking.abort()
      clearInterval(timer)
    }
  }, [client, importId, onLooked])
}

const reasons: Readonly<Record<string, string>> = {
  invalid_archive: t('This isn’t a complete space archive.'),
  archive_too_new: t('This archive was made by a newer version of Foyer, so this server can’t read it.'),
}

/** Returns why the import failed; null if it did not. The server describes a mistake in the archive in English. */
function failureText(begun: SpaceImport | null): string | null {
  const failure = begun?.failure
  if (failure == null) return null
  const { code, message } = failure
  const reason = reasons[code]
  return reason === undefined ? (errorText(code, message) ?? message) : `${reason} (${message})`
}
