import { type MouseEvent, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { kindOf } from './kinds.ts'
import type { ShownFile } from './shown-file.ts'
import { downloadOf } from './signed-urls.ts'

interface Download {
  readonly href: string
  /** What else a link to the file needs. */
  readonly link: { download: string; onClick: (event: MouseEvent) => void }
  readonly error: string | null
}

/** Saves a file under its own name; one whose signature has ended is signed anew when it is asked for. */
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

/** A browser would rather show what it can, and heeds `download` only for what comes from here. */
function addressOf(url: string, contentType: string): string {
  return ['image', 'video', 'audio', 'text'].includes(kindOf(contentType)) ? downloadOf(url) : url
}

function save(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
}
