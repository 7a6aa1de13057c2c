import { type ComponentType, lazy } from 'react'
import { Button } from './button.tsx'

/**
 * A component that is fetched when it is first shown. A server that was updated meanwhile has it under another name:
 * then it says so, and the page around it stays.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (component) => ({ default: component }),
      (): { default: ComponentType<Props> } => ({ default: NotLoaded }),
    ),
  )
}

function NotLoaded() {
  return (
    <div className="pane-note" role="alert">
      <h2>This part could not be loaded</h2>
      <p>The server may have been updated, or be out of reach.</p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </div>
  )
}
