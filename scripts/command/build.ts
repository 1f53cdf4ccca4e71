/** Bundles the command. Run by `npm run build`. */
import { bundleCommand } from './bundle.ts'

await bundleCommand()
