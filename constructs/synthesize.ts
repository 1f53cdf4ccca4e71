import type { App } from 'cdktf'

const WARNING = '@cdktf/warn'

/**
 * Writes what an app declares, like `app.synth()`, and prints the warnings of its constructs to stderr. The library
 * only keeps them in its manifest, for a command that may never run.
 */
export const synthesize = (app: App): void => {
  try {
    app.synth()
  } finally {
    for (const warning of warningsOf(app)) console.warn(`warning: ${warning}`)
  }
}

/** Warnings of all constructs, each with the path of its construct. */
const warningsOf = (app: App): string[] =>
  app.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => type === WARNING)
      .map(({ data }) => String(data))
      .map((text) => (text.startsWith(node.path) ? text : `${node.path}: ${text}`)),
  )
