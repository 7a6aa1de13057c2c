import type { AuditLogFilter } from '@foyer/protocol/audit-log'
import { Download } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

/** Downloads all entries that pass the filter, not only those on the page. */
export function DownloadLog({ spaceId, filter }: { spaceId: string; filter: AuditLogFilter }) {
  const { client } = useSession()
  const downloading = useAction()
  const download = async () => saveFile(await client.auditLog.export(spaceId, filter))
  return (
    <>
      <Button pending={downloading.pending} onClick={() => downloading.run(download)}>
        <Download aria-hidden="true" /> {t('Download')}
      </Button>
      <ErrorLine message={downloading.error} />
    </>
  )
}

function saveFile(lines: string): void {
  const url = URL.createObjectURL(new Blob([lines], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'audit-log.jsonl'
  link.click()
  URL.revokeObjectURL(url)
}
