import type { ErrorObject, ValidateFunction } from 'ajv'
import {
  manifestSchema,
  type FieldType,
  type KindDefinition,
  type ManifestPart,
  type ManifestType,
  type Values,
} from '@deploymgmt/provider/core'
import { quoted } from '../text/display.ts'
import { typeWithin, type Evaluator } from './evaluate.ts'
import { impossible } from './impossible.ts'
import { locate, pairOf, type MapNode, type Node, type Path, type ScalarNode } from './node.ts'
import type { Report, Span } from './report.ts'
import { misfit, showing } from './wording.ts'

export interface Checked {
  readonly root: MapNode
  readonly value: unknown
  readonly kinds: readonly KindDefinition[]
  readonly parts: Readonly<Record<string, ManifestPart>>
  readonly evaluator: Evaluator
  readonly secrets: ReadonlySet<Node>
  /** Whether every file could be parsed; else what is missing may stand in one of the others. */
  readonly complete: boolean
  readonly report: Report
}

/** Checks the resolved manifest against its JSON Schema, and says each refusal in our own words. */
export const checkStructure = async (checked: Checked): Promise<void> => {
  const validate = await validatorFor(checked.kinds)
  if (validate(checked.value)) return
  new Translation(checked).translate(validate.errors ?? [])
}

const validators = new WeakMap<readonly KindDefinition[], ValidateFunction>()

/** Compiling takes longer than validating, and is wanted only where there is a manifest. */
const validatorFor = async (kinds: readonly KindDefinition[]): Promise<ValidateFunction> => {
  const known = validators.get(kinds)
  if (known !== undefined) return known
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
  // Instants are checked by our own, stricter reading.
  ajv.addFormat('date-time', true)
  const validate = ajv.compile(manifestSchema(kinds, { expressions: false }))
  validators.set(kinds, validate)
  return validate
}

/** A place that the schema refused, found again in the files. */
interface Spot {
  readonly path: Path
  readonly node: Node
  readonly key: ScalarNode | undefined
  readonly type: ManifestType | undefined
  readonly value: unknown
}

class Translation {
  private readonly checked: Checked
  private readonly done = new Set<string>()
  /** Missing names by place: one message says them all. */
  private readonly missing = new Map<string, { spot: Spot; names: string[] }>()

  constructor(checked: Checked) {
    this.checked = checked
  }

  translate(errors: readonly ErrorObject[]): void {
    for (const error of errors) this.one(error)
    for (const { spot, names } of this.missing.values()) {
      const left = names.filter((name) => !this.checked.report.wasMeant(spot.path, name))
      if (left.length > 0) this.reportMissing(spot, left)
    }
  }

  private one({ instancePath, keyword, params }: ErrorObject): void {
    const spot = this.spot(instancePath)
    if (spot === undefined || keyword === 'if') return
    const place = spot.path.join('\0')
    if (spot.type?.is !== 'secret') {
      if (keyword === 'additionalProperties')
        return this.unknownKey(spot, String(params['additionalProperty']))
      if (keyword === 'required') return this.note(spot, place, String(params['missingProperty']))
      if (keyword === 'propertyNames') return this.wrongName(spot, String(params['propertyName']))
      if (spot.type?.is === 'map') return
    }
    if (this.done.has(place)) return
    this.done.add(place)
    this.misfit(spot, keyword)
  }

  /** Nothing where the value is not known: that has been reported already, or has to wait. */
  private spot(pointer: string): Spot | undefined {
    const { root, parts, evaluator, value: whole } = this.checked
    const steps = pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    let [type, value]: [ManifestType | undefined, unknown] = [undefined, whole]
    const path: (string | number)[] = []
    for (const step of steps) {
      const list = Array.isArray(value)
      type = path.length === 0 ? parts[step]?.type : list ? elementOf(type) : typeWithin(type, step)
      path.push(list ? Number(step) : step)
      value = (value as Record<string, unknown>)[step]
      if (type?.is === 'secret') break
    }
    const { node, key } = locate(root, path)
    return evaluator.isUnknown(node) ? undefined : { path, node, key, type, value }
  }

  private misfit({ path, node, type, value }: Spot, keyword: string): void {
    const { report, secrets } = this.checked
    if (path[0] === 'version')
      return report.add(node, {
        path,
        message: 'this version of deploymgmt reads manifests of version 1',
        suggestion: value === '1' ? '1' : undefined,
        allowed: ['1'],
      })
    if (type === undefined || type.is === 'map') return
    const nearest = (word: string, words: readonly string[]) => report.nearest(word, words)
    report.add(node, { path, ...misfit(type, value, keyword, showing(node, secrets), nearest) })
  }

  private unknownKey({ path, node, type, value }: Spot, name: string): void {
    const { report, parts, kinds, value: whole } = this.checked
    const known = type?.is === 'object' ? Object.keys(type.fields) : Object.keys(parts)
    const at: Span = pairOf(node, name)?.key ?? node
    const suggestion = report.nearest(name, known)
    if (suggestion !== undefined) report.noteMeant(path, suggestion)
    const kind = path.length === 2 ? kinds.find(({ section }) => section === path[0]) : undefined
    const { defaults } = whole as { defaults?: Values }
    const why =
      kind === undefined || suggestion !== undefined
        ? undefined
        : impossible(kinds, kind, name, { ...defaults, ...(value as Values) })
    const message = `there is no field ${quoted(name)} here${why === undefined ? '' : `: ${why}`}`
    report.add(at, { path: [...path, name], message, suggestion, allowed: known })
  }

  private wrongName({ path, node }: Spot, name: string): void {
    const at: Span = pairOf(node, name)?.key ?? node
    const slug = name
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replaceAll(/^[-_]+|[-_]+$/g, '')
      .slice(0, 128)
    const message = `${quoted(name)} cannot be a name: letters, digits, - and _ make one, and a letter or digit begins it`
    this.checked.report.add(at, {
      path: [...path, name],
      message,
      suggestion: slug === '' ? undefined : slug,
    })
  }

  private note(spot: Spot, place: string, name: string): void {
    const known = this.missing.get(place)
    if (known === undefined) this.missing.set(place, { spot, names: [name] })
    else if (!known.names.includes(name)) known.names.push(name)
  }

  private reportMissing({ path, node, key, type }: Spot, names: readonly string[]): void {
    const { report, complete, kinds } = this.checked
    const are = names.length === 1 ? 'is' : 'are'
    if (path.length === 0) {
      const example = names.map((name) => (name === 'version' ? 'version: 1' : `${name}: …`)).join(' and ')
      if (complete)
        report.add(
          { ...node, end: node.start + 1 },
          { path, message: `${names.join(' and ')} ${are} missing; begin with ${example}` },
        )
      return
    }
    const kind = path.length === 2 ? kinds.find(({ section }) => section === path[0]) : undefined
    const fields = type?.is === 'object' ? type.fields : {}
    const toCreate = names.some((name) => fields[name]?.need === 'to-create')
    const adopting = kind && toCreate ? `; or, to adopt one that exists, give ${kind.identity.key}` : ''
    report.add(key ?? node, { path, message: `${names.join(', ')} ${are} missing${adopting}` })
  }
}

const elementOf = (type: ManifestType | undefined): FieldType | undefined =>
  type?.is === 'set' || type?.is === 'list' ? type.of : undefined
