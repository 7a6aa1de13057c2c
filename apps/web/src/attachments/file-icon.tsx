import { Suspense } from 'react'
import { lazyComponent } from '#src/ui/lazy.tsx'

const KindIcon = lazyComponent(() => import('./kind-icon.tsx').then((module) => module.KindIcon), Blank)

/** Decoration: the name beside it says what it is. Its place is kept until the icons are there. */
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
