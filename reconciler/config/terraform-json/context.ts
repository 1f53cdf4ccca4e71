import { terraformType, type DataSourceDefinition, type KindDefinition } from '@deploymgmt/provider/core'
import type { MapNode, Node } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Remark, Report } from '../tree/report.ts'
import { typeOf, type TerraformDialect } from './dialect.ts'

/** The inputs of a translation, and what it finds out on the way. */
export interface Context {
  readonly document: MapNode
  readonly kinds: readonly KindDefinition[]
  readonly dataSources: readonly DataSourceDefinition[]
  readonly report: Report
  readonly dialect: TerraformDialect
  /** Names of variables by where they are used: only used ones need a value. */
  readonly used: Set<string>
  /** Data sources by `TYPE.NAME` that are referred to: only these are read. */
  readonly usedData: Set<string>
  /** Variables for secrets, which are read from the environment when they are sent. */
  readonly secret: Set<string>
  /** Texts of locals and of parts, by reference: each is translated once. */
  readonly texts: Map<string, string>
  /** How many values references to whole locals have created. */
  copies: number
}

/** Reports an error at a node, with its path. */
export const refuse = (
  { report }: Context,
  at: Node,
  path: Path,
  message: string,
  more: Pick<Remark, 'suggestion' | 'allowed'> = {},
): undefined => {
  report.add(at, { path, message, ...more })
}

/** The same where a list is made: what is refused adds nothing to it. */
export const refused = (...given: Parameters<typeof refuse>): [] => {
  refuse(...given)
  return []
}

/** The kind of a Terraform type. */
export const kindOfType = ({ kinds }: Context, type: string): KindDefinition | undefined =>
  kinds.find((kind) => typeOf(kind) === type)

/** The data source of a Terraform type. */
export const dataSourceOfType = ({ dataSources }: Context, type: string): DataSourceDefinition | undefined =>
  dataSources.find(({ name }) => terraformType(name) === type)

/** The data source that a reference to another stack becomes. */
export const OTHER_STACK = 'terraform_remote_state'

/** The environment variable that sets a Terraform variable. */
export const environmentName = (variable: string): string => `TF_VAR_${variable}`
