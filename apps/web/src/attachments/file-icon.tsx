import { Suspense } from 'react'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'

const KindIcon = lazyComponent(() => import('./kind-icon.tsx').then((module) => module.KindIcon), Blank)

/** The icon of a file. It is decoration, because the name is next to it. A blank keeps its space while icons load. */
export function FileIcon({ contentType }: { contentType: string }) {
  return (
    <Suspense fallback={<Blank />}>
      <KindIcon contentType={contentType} />
    </Suspense>
  )
}

function Blank() {
  return <svg className="file-icon" aria-hidden="true" />
}
