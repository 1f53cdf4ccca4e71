import { allowWords, importFormat, importForms, type KindDefinition } from '../../core/index.ts'
import { sayUnbounded } from '../../words/index.ts'
import { attributeName } from '../codec/names.ts'
import type { Text } from '../diagnostics.ts'
import { names, unreadableBecause } from './spelled.ts'

/** Messages about configurations: the provider's own settings, and those of resources. */

export const notConfigured = (detail: string): Text => ({
  summary: 'DM-SETTING-MISSING: the provider is not configured',
  detail,
})
export const NEVER_CONFIGURED = 'ConfigureProvider was not called.'
export const notKnownYet = (keys: readonly string[]): string =>
  `${names(keys)} ${keys.length === 1 ? 'is not known yet. Apply what it depends' : 'are not known yet. Apply what they depend'} on first, for example with terraform apply -target=ADDRESS.`
export const noWholeNumber = (key: string, least: number, most: number): Text => ({
  summary:
    most === Number.MAX_SAFE_INTEGER
      ? `${attributeName(key)} has to be a whole number above ${least - 1}`
      : `${attributeName(key)} has to be a whole number from ${least} to ${most}`,
})

export const noName: Text = { summary: 'projects[""]: a name is missing' }
export const noId = (name: string): Text => ({
  summary: `projects[${JSON.stringify(name)}]: an id is missing`,
})
export const anotherName = (name: string, id: string, other: string): Text => ({
  summary: `projects[${JSON.stringify(name)}]: ${id} has another name, ${other}`,
  detail: 'Give each project one name: messages call it by that.',
})

export const noOrganization = (definition: KindDefinition): Text => ({
  summary: 'the provider has no org_id: changes from outside cannot be noticed',
  detail: `${definition.title}: ${unreadableBecause(definition)} Only an organization’s events tell of such a change. Give the provider the org_id of the organization. This warning is shown once for all such resources.`,
})

export const cannotBeSet = (key: string, summary: string): Text => ({
  summary: `${attributeName(key)} cannot be set: it is read from the service`,
  detail: summary,
})
export const unbounded = (bounds: readonly (readonly [key: string, summary: string])[]): Text => ({
  summary: sayUnbounded(bounds.map(([key]) => attributeName(key))),
  detail: bounds.map(([key, summary]) => `${attributeName(key)}: ${summary}`).join('\n'),
})
export const nothingToAllow = (definition: KindDefinition, word: string | null): Text => ({
  summary: word === null ? 'allow: null is not allowed here' : `"${word}" cannot be allowed`,
  detail: `There are: ${allowWords(definition).join(', ')}.`,
})
export const NO_WRITE_ONLY: Text = {
  summary: 'this Terraform has no write-only attributes',
  detail: 'Terraform 1.11 or later keeps a write-only value out of its state; an older one would store it.',
}
/** Terraform shows only the attribute, so the message has the path within; elements have no name. */
export const placed = (path: readonly (string | number)[], message: string): string => {
  const within = path.filter((part) => typeof part === 'string')
  return within.length < 2 ? message : `${within.map(attributeName).join('.')}: ${message}`
}
export const noImportId = (definition: KindDefinition, id: string): Text => ({
  summary: `"${id}" is not an import id of this resource`,
  detail: `It is ${importedBy(definition)}`,
})
/** What is wrong with one part of an import id, and what the whole has to be. */
export const wrongImportId = (definition: KindDefinition, { summary, detail }: Text): Text => ({
  summary,
  detail: [detail ?? [], `The import id is ${importedBy(definition)}`].flat().join('\n'),
})
const importedBy = (definition: KindDefinition): string =>
  `${importFormat(definition)}; ${importForms(definition)}.`
