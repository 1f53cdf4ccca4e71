// docs/resources/alert_configuration.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface AlertConfigurationConfig extends cdktf.TerraformMetaArguments {
  /**
  * The configuration. Give this or `select`.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly alertConfigId?: string;
  /**
  * Actions that are refused unless they are listed here: `overwrite`.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly allow?: string[];
  /**
  * Whether a selector that matches nothing, or an id that does not exist, is accepted.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly allowEmpty?: boolean | cdktf.IResolvable;
  /**
  * Whether the configuration raises alerts.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly enabled: boolean | cdktf.IResolvable;
  /**
  * What a destroy does. `forget`: It is removed from the state. Nothing is sent, and the service keeps it as it is. `restore`: `enabled` goes back to its value at adoption, if the live value is still what was last written. Defaults to `forget`. It is read from the state, so apply a change of it before the destroy.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly onRemove?: string;
  /**
  * Project that owns the configuration.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly projectId: string;
  /**
  * Selects every configuration of the project that matches all of these.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly select?: AlertConfigurationSelect;
}
export interface AlertConfigurationSelectMatchers {
  /**
  * Field that the matcher looks at.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly fieldName?: string;
  /**
  * How the matcher compares.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly operator?: string;
  /**
  * Value that the matcher compares with.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly value?: string;
}

export function alertConfigurationSelectMatchersToTerraform(struct?: AlertConfigurationSelectMatchers | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    field_name: cdktf.stringToTerraform(struct!.fieldName),
    operator: cdktf.stringToTerraform(struct!.operator),
    value: cdktf.stringToTerraform(struct!.value),
  }
}


export function alertConfigurationSelectMatchersToHclTerraform(struct?: AlertConfigurationSelectMatchers | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    field_name: {
      value: cdktf.stringToHclTerraform(struct!.fieldName),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    operator: {
      value: cdktf.stringToHclTerraform(struct!.operator),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    value: {
      value: cdktf.stringToHclTerraform(struct!.value),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class AlertConfigurationSelectMatchersOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): AlertConfigurationSelectMatchers | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._fieldName !== undefined) {
      hasAnyValues = true;
      internalValueResult.fieldName = this._fieldName;
    }
    if (this._operator !== undefined) {
      hasAnyValues = true;
      internalValueResult.operator = this._operator;
    }
    if (this._value !== undefined) {
      hasAnyValues = true;
      internalValueResult.value = this._value;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: AlertConfigurationSelectMatchers | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._fieldName = undefined;
      this._operator = undefined;
      this._value = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._fieldName = value.fieldName;
      this._operator = value.operator;
      this._value = value.value;
    }
  }

  // field_name - computed: false, optional: true, required: false
  private _fieldName?: string; 
  public get fieldName() {
    return this.getStringAttribute('field_name');
  }
  public set fieldName(value: string) {
    this._fieldName = value;
  }
  public resetFieldName() {
    this._fieldName = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get fieldNameInput() {
    return this._fieldName;
  }

  // operator - computed: false, optional: true, required: false
  private _operator?: string; 
  public get operator() {
    return this.getStringAttribute('operator');
  }
  public set operator(value: string) {
    this._operator = value;
  }
  public resetOperator() {
    this._operator = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get operatorInput() {
    return this._operator;
  }

  // value - computed: false, optional: true, required: false
  private _value?: string; 
  public get value() {
    return this.getStringAttribute('value');
  }
  public set value(value: string) {
    this._value = value;
  }
  public resetValue() {
    this._value = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get valueInput() {
    return this._value;
  }
}

export class AlertConfigurationSelectMatchersList extends cdktf.ComplexList {
  public internalValue? : AlertConfigurationSelectMatchers[] | cdktf.IResolvable

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(protected terraformResource: cdktf.IInterpolatingParent, protected terraformAttribute: string, protected wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): AlertConfigurationSelectMatchersOutputReference {
    return new AlertConfigurationSelectMatchersOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
export interface AlertConfigurationSelect {
  /**
  * Only configurations created before this instant; those added later stay as they are.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly createdBefore?: string;
  /**
  * Type of event that triggers the alert.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly eventTypeName?: string;
  /**
  * Matchers that the configuration has to have, among others.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly matchers?: AlertConfigurationSelectMatchers[] | cdktf.IResolvable;
  /**
  * Metric of the configuration’s metric threshold.
  *
  * See docs/resources/alert_configuration.md
  */
  readonly metricName?: string;
}

export function alertConfigurationSelectToTerraform(struct?: AlertConfigurationSelect | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    created_before: cdktf.stringToTerraform(struct!.createdBefore),
    event_type_name: cdktf.stringToTerraform(struct!.eventTypeName),
    matchers: cdktf.listMapper(alertConfigurationSelectMatchersToTerraform, false)(struct!.matchers),
    metric_name: cdktf.stringToTerraform(struct!.metricName),
  }
}


export function alertConfigurationSelectToHclTerraform(struct?: AlertConfigurationSelect | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    created_before: {
      value: cdktf.stringToHclTerraform(struct!.createdBefore),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    event_type_name: {
      value: cdktf.stringToHclTerraform(struct!.eventTypeName),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    matchers: {
      value: cdktf.listMapperHcl(alertConfigurationSelectMatchersToHclTerraform, false)(struct!.matchers),
      isBlock: true,
      type: "set",
      storageClassType: "AlertConfigurationSelectMatchersList",
    },
    metric_name: {
      value: cdktf.stringToHclTerraform(struct!.metricName),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class AlertConfigurationSelectOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): AlertConfigurationSelect | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._createdBefore !== undefined) {
      hasAnyValues = true;
      internalValueResult.createdBefore = this._createdBefore;
    }
    if (this._eventTypeName !== undefined) {
      hasAnyValues = true;
      internalValueResult.eventTypeName = this._eventTypeName;
    }
    if (this._matchers?.internalValue !== undefined) {
      hasAnyValues = true;
      internalValueResult.matchers = this._matchers?.internalValue;
    }
    if (this._metricName !== undefined) {
      hasAnyValues = true;
      internalValueResult.metricName = this._metricName;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: AlertConfigurationSelect | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._createdBefore = undefined;
      this._eventTypeName = undefined;
      this._matchers.internalValue = undefined;
      this._metricName = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._createdBefore = value.createdBefore;
      this._eventTypeName = value.eventTypeName;
      this._matchers.internalValue = value.matchers;
      this._metricName = value.metricName;
    }
  }

  // created_before - computed: false, optional: true, required: false
  private _createdBefore?: string; 
  public get createdBefore() {
    return this.getStringAttribute('created_before');
  }
  public set createdBefore(value: string) {
    this._createdBefore = value;
  }
  public resetCreatedBefore() {
    this._createdBefore = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get createdBeforeInput() {
    return this._createdBefore;
  }

  // event_type_name - computed: false, optional: true, required: false
  private _eventTypeName?: string; 
  public get eventTypeName() {
    return this.getStringAttribute('event_type_name');
  }
  public set eventTypeName(value: string) {
    this._eventTypeName = value;
  }
  public resetEventTypeName() {
    this._eventTypeName = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get eventTypeNameInput() {
    return this._eventTypeName;
  }

  // matchers - computed: false, optional: true, required: false
  private _matchers = new AlertConfigurationSelectMatchersList(this, "matchers", true);
  public get matchers() {
    return this._matchers;
  }
  public putMatchers(value: AlertConfigurationSelectMatchers[] | cdktf.IResolvable) {
    this._matchers.internalValue = value;
  }
  public resetMatchers() {
    this._matchers.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get matchersInput() {
    return this._matchers.internalValue;
  }

  // metric_name - computed: false, optional: true, required: false
  private _metricName?: string; 
  public get metricName() {
    return this.getStringAttribute('metric_name');
  }
  public set metricName(value: string) {
    this._metricName = value;
  }
  public resetMetricName() {
    this._metricName = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get metricNameInput() {
    return this._metricName;
  }
}

/**
* Represents a deploymgmt_alert_configuration (docs/resources/alert_configuration.md)
*/
export class AlertConfiguration extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_alert_configuration";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a AlertConfiguration resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the AlertConfiguration to import
  * @param importFromId The id of the existing AlertConfiguration that should be imported. Refer to the import section (docs/resources/alert_configuration.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the AlertConfiguration to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_alert_configuration", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_alert_configuration (docs/resources/alert_configuration.md) Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options AlertConfigurationConfig
  */
  public constructor(scope: Construct, id: string, config: AlertConfigurationConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_alert_configuration',
      terraformGeneratorMetadata: {
        providerName: 'deploymgmt',
        providerVersion: '0.1.0',
        providerVersionConstraint: '0.1.0'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._alertConfigId = config.alertConfigId;
    this._allow = config.allow;
    this._allowEmpty = config.allowEmpty;
    this._enabled = config.enabled;
    this._onRemove = config.onRemove;
    this._projectId = config.projectId;
    this._select.internalValue = config.select;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // alert_config_id - computed: false, optional: true, required: false
  private _alertConfigId?: string; 
  public get alertConfigId() {
    return this.getStringAttribute('alert_config_id');
  }
  public set alertConfigId(value: string) {
    this._alertConfigId = value;
  }
  public resetAlertConfigId() {
    this._alertConfigId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get alertConfigIdInput() {
    return this._alertConfigId;
  }

  // allow - computed: false, optional: true, required: false
  private _allow?: string[]; 
  public get allow() {
    return cdktf.Fn.tolist(this.getListAttribute('allow'));
  }
  public set allow(value: string[]) {
    this._allow = value;
  }
  public resetAllow() {
    this._allow = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowInput() {
    return this._allow;
  }

  // allow_empty - computed: true, optional: true, required: false
  private _allowEmpty?: boolean | cdktf.IResolvable; 
  public get allowEmpty() {
    return this.getBooleanAttribute('allow_empty');
  }
  public set allowEmpty(value: boolean | cdktf.IResolvable) {
    this._allowEmpty = value;
  }
  public resetAllowEmpty() {
    this._allowEmpty = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowEmptyInput() {
    return this._allowEmpty;
  }

  // configurations - computed: true, optional: false, required: false
  private _configurations = new cdktf.BooleanMap(this, "configurations");
  public get configurations() {
    return this._configurations;
  }

  // enabled - computed: false, optional: false, required: true
  private _enabled?: boolean | cdktf.IResolvable; 
  public get enabled() {
    return this.getBooleanAttribute('enabled');
  }
  public set enabled(value: boolean | cdktf.IResolvable) {
    this._enabled = value;
  }
  // Temporarily expose input value. Use with caution.
  public get enabledInput() {
    return this._enabled;
  }

  // evidence - computed: true, optional: false, required: false
  public get evidence() {
    return this.getStringAttribute('evidence');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // on_remove - computed: true, optional: true, required: false
  private _onRemove?: string; 
  public get onRemove() {
    return this.getStringAttribute('on_remove');
  }
  public set onRemove(value: string) {
    this._onRemove = value;
  }
  public resetOnRemove() {
    this._onRemove = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onRemoveInput() {
    return this._onRemove;
  }

  // present - computed: true, optional: false, required: false
  public get present() {
    return this.getBooleanAttribute('present');
  }

  // project_id - computed: false, optional: false, required: true
  private _projectId?: string; 
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // select - computed: false, optional: true, required: false
  private _select = new AlertConfigurationSelectOutputReference(this, "select");
  public get select() {
    return this._select;
  }
  public putSelect(value: AlertConfigurationSelect) {
    this._select.internalValue = value;
  }
  public resetSelect() {
    this._select.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get selectInput() {
    return this._select.internalValue;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      alert_config_id: cdktf.stringToTerraform(this._alertConfigId),
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      allow_empty: cdktf.booleanToTerraform(this._allowEmpty),
      enabled: cdktf.booleanToTerraform(this._enabled),
      on_remove: cdktf.stringToTerraform(this._onRemove),
      project_id: cdktf.stringToTerraform(this._projectId),
      select: alertConfigurationSelectToTerraform(this._select.internalValue),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      alert_config_id: {
        value: cdktf.stringToHclTerraform(this._alertConfigId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      allow_empty: {
        value: cdktf.booleanToHclTerraform(this._allowEmpty),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      enabled: {
        value: cdktf.booleanToHclTerraform(this._enabled),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      on_remove: {
        value: cdktf.stringToHclTerraform(this._onRemove),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      select: {
        value: alertConfigurationSelectToHclTerraform(this._select.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "AlertConfigurationSelect",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
