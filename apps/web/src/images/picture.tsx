import { useEffect, useState } from 'react'
import { useAppState } from '#src/session/context.ts'
import './picture.css'
import { pictureUrl } from './picture-url.ts'

/**
 * Fills what it is in with a picture, over what stands there while it loads and when it does not come.
 * Give it its id as the key, too: another picture begins anew.
 */
export function Picture({ id }: { id: string }) {
  const [state, setState] = useState<'loading' | 'here' | 'failed'>('loading')
  const isConnected = useAppState(({ connection }) => connection === 'ready')

  // What failed while the server was out of reach comes when it is back.
  useEffect(() => {
    if (isConnected) setState((before) => (before === 'failed' ? 'loading' : before))
  }, [isConnected])

  if (state === 'failed') return null
  return (
    <img
      className="picture"
      src={pictureUrl(id)}
      alt=""
      draggable={false}
      decoding="async"
      data-here={state === 'here' || undefined}
      onLoad={() => setState('here')}
      onError={() => setState('failed')}
    />
  )
}
