import { terraformType, type DataSourceDefinition, type KindDefinition } from '@deploymgmt/provider/core'
import type { MapNode, Node } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import type { Remark, Report } from '../tree/report.ts'
import { typeOf, type TerraformDialect } from './dialect.ts'

/** What a configuration is translated with, and what is learnt on the way. */
export interface Context {
  readonly document: MapNode
  readonly kinds: readonly KindDefinition[]
  readonly dataSources: readonly DataSourceDefinition[]
  readonly report: Report
  readonly dialect: TerraformDialect
  /** Names of variables by where they stand: only what is used needs a value. */
  readonly used: Set<string>
  /** Data sources by `TYPE.NAME` that something refers to: only these are read. */
  readonly usedData: Set<string>
  /** Variables that stand for secrets; they are read from the environment when they are sent. */
  readonly secret: Set<string>
  /** Texts of locals and of parts by what refers to them: each is worked out once, however many refer to it. */
  readonly texts: Map<string, string>
  /** How many values have been made through references to whole locals. */
  copies: number
}

/** Reports at a node, with its path. */
export const refuse = (
  { report }: Context,
  at: Node,
  path: Path,
  message: string,
  more: Pick<Remark, 'suggestion' | 'allowed'> = {},
): undefined => {
  report.add(at, { path, message, ...more })
}

/** The kind that a Terraform type stands for. */
export const kindOfType = ({ kinds }: Context, type: string): KindDefinition | undefined =>
  kinds.find((kind) => typeOf(kind) === type)

/** The data source that a Terraform type stands for. */
export const dataSourceOfType = ({ dataSources }: Context, type: string): DataSourceDefinition | undefined =>
  dataSources.find(({ name }) => terraformType(name) === type)

/** The environment variable by which Terraform takes a variable's value. */
export const environmentName = (variable: string): string => `TF_VAR_${variable}`
