import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react()],
  // light-dark(), nesting and :has() as they are written.
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The emojis of Unicode, in a chunk of their own that the picker asks for.
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: {
      '/api': server,
      '/attachments': server,
      '/storage': server,
      '/gateway': { target: server, ws: true },
    },
  },
})
