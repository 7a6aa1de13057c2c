// Runs after `npm pack` and `npm publish` of a package: puts back what prepack replaced.
import { renameSync, rmSync } from 'node:fs'

renameSync('package.source.json', 'package.json')
rmSync('LICENSE')
rmSync('dist', { recursive: true })
