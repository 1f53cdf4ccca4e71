import { LazyBase, TerraformStack, TerraformVariable, Tokenization, type ITokenResolver } from 'cdktf'
import type { IConstruct } from 'constructs'
import { isKnown } from './checks.ts'

/** Why a value must not be in the output of synthesis; checked when a construct is created. */
export const refusalOfSecret = (scope: IConstruct, value: string): string | undefined => {
  if (isKnown(value))
    return 'is plain text and would be written to disk; give the stringValue of a SecretVariable'
  // The result of a lazy value is checked at synthesis.
  return Tokenization.reverseString(value).tokens.some((token) => token instanceof LazyBase)
    ? undefined
    : refusalAtSynthesis(scope, value)
}

/** The same for the result of a lazy value at synthesis. No message repeats the value. */
export const refusalAtSynthesis = (scope: IConstruct, value: string): string | undefined => {
  const name = /^\$\{var\.([\w-]+)\}$/.exec(resolved(scope, value))?.[1]
  const variable = TerraformStack.of(scope)
    .node.findAll()
    .find(
      (node): node is TerraformVariable =>
        node instanceof TerraformVariable && node.friendlyUniqueId === name,
    )
  if (variable === undefined)
    return 'contains more than the value of a variable, and the rest would be written to disk; give the stringValue of a SecretVariable of this stack'
  const { default: fallback, ...traits } = declarationOf(variable)
  const named = `is the value of the variable ${variable.node.path}`
  if (fallback !== undefined) return `${named}, whose default would be written to disk: omit the default`
  return traits['sensitive'] === true && traits['ephemeral'] === true
    ? undefined
    : `${named}, which Terraform would write into saved plans: make it a SecretVariable`
}

/** A variable as synthesis writes it, including overrides. */
const declarationOf = (variable: TerraformVariable): Readonly<Record<string, unknown>> =>
  variable.toTerraform().variable[variable.friendlyUniqueId]

const resolved = (scope: IConstruct, value: string): string =>
  String(Tokenization.resolve(value, { scope, preparing: false, resolver: referenceAlone }))

const SOMETHING_ELSE = ''

/** Resolves a value that is a single token. */
const referenceAlone: ITokenResolver = {
  resolveToken: (token, context, postProcessor) =>
    postProcessor.postProcess(context.resolve(token.resolve(context)), context),
  resolveString: (fragments, context) =>
    fragments.length === 1 ? context.resolve(fragments.firstToken) : SOMETHING_ELSE,
  resolveList: () => SOMETHING_ELSE,
  resolveNumberList: () => SOMETHING_ELSE,
  resolveMap: () => SOMETHING_ELSE,
}
