import { ApiError } from '@foyer/sdk/rest'
import { Button } from '#src/ui/button.tsx'
import { errorMessage } from '#src/ui/form-errors.ts'
import { useSectionLink } from '#src/ui/section-links.ts'
import { imageWords, isAboutStorage } from './image-words.ts'

/** Why a picture was not taken, and the way to where that can be changed. */
export function ImageError({ error }: { error: unknown }) {
  const openStorage = useSectionLink('storage')
  const isStorage = error instanceof ApiError && isAboutStorage(error.code)
  return (
    <p role="alert" className="form-error">
      {errorMessage(error, imageWords)}
      {isStorage && openStorage !== null && (
        <>
          {' '}
          <Button look="text" onClick={openStorage}>
            Open storage
          </Button>
        </>
      )}
    </p>
  )
}
