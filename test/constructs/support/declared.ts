import { DeploymgmtProvider } from '@deploymgmt/constructs'
import { Testing, TerraformStack } from 'cdktf'

type Blocks = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

/** What a stack synthesizes to: the text for the library's assertions, and what is in it. */
export interface Declared {
  readonly text: string
  readonly resources: Blocks
  readonly data: Blocks
}

/** Declares in a fresh stack named `acme`. */
export const declared = (declare: (stack: TerraformStack) => void): Declared => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  declare(stack)
  const text = Testing.synth(stack)
  const { resource = {}, data = {} } = JSON.parse(text) as { resource?: Blocks; data?: Blocks }
  return { text, resources: resource, data }
}

/** The message with which a declaration is refused. */
export const refusal = (declare: (stack: TerraformStack) => void): string => {
  try {
    declare(new TerraformStack(Testing.app(), 'acme'))
  } catch (error) {
    if (error instanceof Error && error.name === 'DeclarationError') return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

/** Warnings that a declaration carries. */
export const warnings = (declare: (stack: TerraformStack) => void): string[] => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  declare(stack)
  Testing.synth(stack)
  return stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === '@cdktf/warn')
    .map(({ data }) => String(data))
}

/** What synthesis refuses once everything is declared; an empty text where it refuses nothing. */
export const invalid = (declare: (stack: TerraformStack) => void): string => {
  const stack = new TerraformStack(Testing.app(), 'acme')
  new DeploymgmtProvider(stack, 'deploymgmt')
  declare(stack)
  try {
    Testing.synth(stack, true)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
