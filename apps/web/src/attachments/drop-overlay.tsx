import { Upload } from 'lucide-react'
import './drop-overlay.css'

/** Over the room while files are dragged across it. */
export function DropOverlay({ place }: { place: string }) {
  return (
    <div className="drop-overlay" aria-hidden="true">
      <div className="drop-note">
        <Upload />
        <strong>Drop to attach</strong>
        <span>The files go into your message in {place}.</span>
      </div>
    </div>
  )
}
