import { Download } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import type { ShownFile } from './shown-file.ts'
import { useDownload } from './use-download.ts'

/** A link that downloads the file, or shows an error if the file was deleted. */
export function DownloadLink({ file }: { file: ShownFile }) {
  const { href, link, error } = useDownload(file)
  const tabIndex = useRowPart()
  const label = t('Download {filename}', { filename: file.filename })
  return (
    <>
      {error !== null && (
        <span role="alert" className="file-error">
          {error}
        </span>
      )}
      <Hint label={label}>
        <a {...link} href={href} className="icon-button" aria-label={label} tabIndex={tabIndex}>
          <Download aria-hidden="true" />
        </a>
      </Hint>
    </>
  )
}
