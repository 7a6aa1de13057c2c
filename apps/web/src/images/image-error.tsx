import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/button.tsx'
import { useSectionLink } from '#src/ui/section-links.ts'
import { hasNoBucket, imageMessage, isAboutStorage } from './image-words.ts'

/** Why a picture was not taken, and the way to where that can be changed. */
export function ImageError({ error }: { error: unknown }) {
  return (
    <p role="alert" className="form-error">
      {imageMessage(error)} {isAboutStorage(error) && <StorageWay error={error} />}
    </p>
  )
}

function StorageWay({ error }: { error: unknown }) {
  const openStorage = useSectionLink('storage')
  if (openStorage === null)
    return hasNoBucket(error) && t('Somebody who manages the storage of the space can add it.')
  return (
    <Button look="text" onClick={openStorage}>
      {t('Open storage')}
    </Button>
  )
}
