import { type CSSProperties, Suspense, useState } from 'react'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import './gallery.css'
import { ImageTile } from './image-tile.tsx'
import type { ShownFile } from './shown-file.ts'
import { boxOf, spansOf } from './transfer/gallery-layout.ts'

const Lightbox = lazyComponent(() => import('./lightbox/lightbox.tsx').then((module) => module.Lightbox))

/** The pictures of a message: one in its own shape, several in a grid. Their space is reserved before they load. */
export function Gallery({ images }: { images: readonly ShownFile[] }) {
  const [opened, setOpened] = useState<number | null>(null)
  const [first] = images
  if (first === undefined) return null
  return (
    <>
      {images.length === 1 ? (
        <div className="gallery-single" style={singleStyle(first)}>
          <ImageTile file={first} onOpen={() => setOpened(0)} />
        </div>
      ) : (
        <div className="gallery">
          {spansOf(images.length).map(({ columns, rows }, index) => {
            const file = images[index]
            const shape = `gallery-cell span-${columns}${rows > 1 ? ' span-tall' : ''}`
            return (
              file && (
                <div key={file.id} className={shape}>
                  <ImageTile file={file} onOpen={() => setOpened(index)} />
                </div>
              )
            )
          })}
        </div>
      )}
      {opened !== null && (
        <Suspense>
          <Lightbox images={images} start={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

function singleStyle(file: ShownFile): CSSProperties {
  const { width, height } = boxOf(file)
  return { width, aspectRatio: `${width} / ${height}` }
}
