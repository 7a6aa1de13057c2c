import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { refuseStrayDrops } from './attachments/stray-drops.ts'
import { browserTokens } from './session/tokens.ts'
import './styles/tokens.css'
import './styles/base.css'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root element')
refuseStrayDrops(window)
createRoot(root).render(<App storage={browserTokens(window)} />)
