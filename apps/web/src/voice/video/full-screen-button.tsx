import { Maximize2, Minimize2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'

/** Shows the list item around the button in full screen. Missing in browsers that cannot show elements in full screen. */
export function FullScreenButton({ name }: { name: string }) {
  const [item, setItem] = useState<Element | null>(null)
  const isFull = useIsFull(item)
  if (!document.fullscreenEnabled) return null
  const label = isFull ? t('Exit full screen') : t('Show {name} in full screen', { name })
  return (
    <span className="full-screen" ref={(element) => setItem(element?.closest('li') ?? null)}>
      <IconButton
        label={label}
        icon={isFull ? <Minimize2 /> : <Maximize2 />}
        onClick={() => void turn(item, !isFull)}
      />
    </span>
  )
}

function useIsFull(item: Element | null): boolean {
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const update = () => setIsFull(item !== null && document.fullscreenElement === item)
    update()
    document.addEventListener('fullscreenchange', update)
    return () => document.removeEventListener('fullscreenchange', update)
  }, [item])
  return isFull
}

async function turn(item: Element | null, isFull: boolean): Promise<void> {
  const done = isFull ? item?.requestFullscreen() : document.exitFullscreen()
  // The browser may refuse, as on pages in a frame.
  await done?.catch(() => undefined)
}
