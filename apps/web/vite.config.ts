import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { firstScript } from './appearance-build.ts'
import { compiledAtOnce } from './compile-hint.ts'
import { compressed } from './compress.ts'
import { consoleParts } from './console-parts.ts'
import { firstLoad } from './first-load.ts'
import { chunkName, isNoIcon } from './icons.ts'
import { preloadApp } from './preload-app.ts'
import { schemaBuilders } from './schema-builders.ts'
import { serviceWorker } from './worker-build.ts'

/** The server that bin/dev starts. */
const server = `http://127.0.0.1:${process.env.PORT ?? 8080}`

const folder = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')
const parserParts = `${folder}/src/markdown/parser-parts.ts`

/** Puts these modules of voice and recordings into one file instead of two, because the first load lists the file names. */
const microphone = {
  name: 'microphone',
  test: /src\/voice\/control\/(microphone|quiet\/(quiet|within))\.ts$/,
  includeDependenciesRecursively: false,
}

export default defineConfig({
  plugins: [
    react(),
    preloadApp({ app: '/src/open.tsx', pages: ['/src/shell/pages.tsx', '/packages/markdown/src/parser.ts'] }),
    firstScript('src/shell/first.ts'),
    serviceWorker('src/worker/worker.ts'),
    compiledAtOnce(['app', 'room']),
    compressed(),
  ],
  resolve: {
    alias: [
      ...['entities', 'linkify-it', 'mdurl', 'punycode.js', 'uc.micro'].map((find) => ({
        find,
        replacement: parserParts,
      })),
      // The shim is for React versions before 18.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
    ],
  },
  // These browsers support light-dark(), nesting and :has() natively.
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter(isNoIcon) },
    // The largest chunks are the first load, the Unicode emojis and LiveKit. The last two load on demand.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        chunkFileNames: chunkName,
        codeSplitting: { groups: [...firstLoad(folder), consoleParts(folder), microphone] },
      },
      // Drops the protocol's schemas, which only servers use.
      treeshake: {
        propertyReadSideEffects: false,
        manualPureFunctions: ['Type', ...schemaBuilders(`${folder}/../../packages/protocol/src`)],
      },
    },
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
