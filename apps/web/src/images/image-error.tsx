import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useSectionLink } from '#src/ui/dialogs/section-links.ts'
import { hasNoBucket, imageMessage, isAboutStorage } from './image-words.ts'

/** The reason why a picture was refused, with a link to the storage settings if they can help. */
export function ImageError({ error }: { error: unknown }) {
  return (
    <p role="alert" className="form-error">
      {imageMessage(error)} {isAboutStorage(error) && <StorageLink error={error} />}
    </p>
  )
}

function StorageLink({ error }: { error: unknown }) {
  const openStorage = useSectionLink('storage')
  if (openStorage === null)
    return hasNoBucket(error) && t('Ask someone who manages this space’s storage to set it up.')
  return (
    <Button look="text" onClick={openStorage}>
      {t('Open storage')}
    </Button>
  )
}
