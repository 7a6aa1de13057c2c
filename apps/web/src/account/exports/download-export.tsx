import type { ExportDownload } from '@foyer/protocol/exports'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'

/** A button that downloads an export. It requests the URL on click, because the URL is valid for a few minutes only. */
export function DownloadExport({ address }: { address: () => Promise<ExportDownload> }) {
  const { client } = useSession()
  const { run, pending, error } = useAction()

  async function download() {
    const { url } = await address()
    // The server marks the response as a download, so the browser stays on this page.
    window.location.assign(client.addressOf(url))
  }

  return (
    <>
      <Button look="primary" pending={pending} onClick={() => run(download)}>
        {t('Download')}
      </Button>
      <ErrorLine message={error} />
    </>
  )
}
