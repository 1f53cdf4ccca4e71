import { Lazy } from 'cdktf'
import type { Construct } from 'constructs'
import { watchForConflicts } from './conflicts.ts'
import { DeploymgmtProvider as Generated, type DeploymgmtProviderConfig } from './generated/all.ts'

/** The provider of a stack. Every stack has one, so it starts the search for contradictions. */
export class DeploymgmtProvider extends Generated {
  constructor(scope: Construct, id: string, config?: DeploymgmtProviderConfig) {
    super(scope, id, config)
    watchForConflicts(this)
  }

  protected override synthesizeAttributes(): { [name: string]: any } {
    return withNamesKept(super.synthesizeAttributes())
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attributes = super.synthesizeHclAttributes()
    const { projects } = attributes
    return projects === undefined ? attributes : { ...attributes, projects: withNamesKept(projects, 'value') }
  }
}

/**
 * CDKTF spells all keys of a provider as it spells attributes, so that the project `search-index` would be called
 * `search_index`. What is produced later, it leaves alone.
 */
const withNamesKept = (attributes: { [name: string]: any }, key = 'projects'): { [name: string]: any } => {
  const projects: unknown = attributes[key]
  return projects === undefined
    ? attributes
    : { ...attributes, [key]: Lazy.anyValue({ produce: () => projects }) }
}
