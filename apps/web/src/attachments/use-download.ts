import { type MouseEvent, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import type { ShownFile } from './shown-file.ts'
import { kindOf } from './transfer/kinds.ts'
import { downloadOf } from './transfer/signed-urls.ts'

interface Download {
  readonly href: string
  /** Further props of a link to the file. */
  readonly link: { download: string; onClick: (event: MouseEvent) => void }
  readonly error: string | null
}

/** Downloads a file under its own name. If its URL has expired, a click requests a new one first. */
export function useDownload({ id, url, filename, content_type }: ShownFile): Download {
  const { signedUrls } = useSession()
  const [error, setError] = useState<string | null>(null)
  const usable = signedUrls.usable({ id, url })

  async function renewAndSave() {
    setError(null)
    try {
      save(addressOf(await signedUrls.renew(id), content_type), filename)
    } catch (thrown) {
      setError(errorMessage(thrown))
    }
  }

  return {
    href: addressOf(usable ?? url ?? '', content_type),
    link: {
      download: filename,
      onClick: (event) => {
        if (signedUrls.usable({ id, url }) !== null) return
        event.preventDefault()
        void renewAndSave()
      },
    },
    error,
  }
}

/** Forces a download for types that browsers show, because browsers ignore `download` on links to another origin. */
function addressOf(url: string, contentType: string): string {
  return ['image', 'video', 'audio', 'text'].includes(kindOf(contentType)) ? downloadOf(url) : url
}

function save(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
}
