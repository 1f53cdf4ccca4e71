// docs/data-sources/global_alert.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataDeploymgmtGlobalAlertConfig extends cdktf.TerraformMetaArguments {
  /**
  * The alert.
  *
  * See docs/data-sources/global_alert.md
  */
  readonly alertId: string;
}
export interface DataDeploymgmtGlobalAlertCurrentValue {
}

export function dataDeploymgmtGlobalAlertCurrentValueToTerraform(struct?: DataDeploymgmtGlobalAlertCurrentValue): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtGlobalAlertCurrentValueToHclTerraform(struct?: DataDeploymgmtGlobalAlertCurrentValue): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtGlobalAlertCurrentValueOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataDeploymgmtGlobalAlertCurrentValue | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtGlobalAlertCurrentValue | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // number - computed: true, optional: false, required: false
  public get number() {
    return this.getNumberAttribute('number');
  }

  // units - computed: true, optional: false, required: false
  public get units() {
    return this.getStringAttribute('units');
  }
}
export interface DataDeploymgmtGlobalAlertLinks {
}

export function dataDeploymgmtGlobalAlertLinksToTerraform(struct?: DataDeploymgmtGlobalAlertLinks): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtGlobalAlertLinksToHclTerraform(struct?: DataDeploymgmtGlobalAlertLinks): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtGlobalAlertLinksOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): DataDeploymgmtGlobalAlertLinks | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtGlobalAlertLinks | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // href - computed: true, optional: false, required: false
  public get href() {
    return this.getStringAttribute('href');
  }

  // rel - computed: true, optional: false, required: false
  public get rel() {
    return this.getStringAttribute('rel');
  }
}

export class DataDeploymgmtGlobalAlertLinksList extends cdktf.ComplexList {

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
  public get(index: number): DataDeploymgmtGlobalAlertLinksOutputReference {
    return new DataDeploymgmtGlobalAlertLinksOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* Represents a deploymgmt_global_alert (docs/data-sources/global_alert.md)
*/
export class DataDeploymgmtGlobalAlert extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_global_alert";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataDeploymgmtGlobalAlert resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataDeploymgmtGlobalAlert to import
  * @param importFromId The id of the existing DataDeploymgmtGlobalAlert that should be imported. Refer to the import section (docs/data-sources/global_alert.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataDeploymgmtGlobalAlert to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_global_alert", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_global_alert (docs/data-sources/global_alert.md) Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataDeploymgmtGlobalAlertConfig
  */
  public constructor(scope: Construct, id: string, config: DataDeploymgmtGlobalAlertConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_global_alert',
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
    this._alertId = config.alertId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // acknowledged_until - computed: true, optional: false, required: false
  public get acknowledgedUntil() {
    return this.getStringAttribute('acknowledged_until');
  }

  // acknowledgement_comment - computed: true, optional: false, required: false
  public get acknowledgementComment() {
    return this.getStringAttribute('acknowledgement_comment');
  }

  // acknowledging_username - computed: true, optional: false, required: false
  public get acknowledgingUsername() {
    return this.getStringAttribute('acknowledging_username');
  }

  // alert_config_id - computed: true, optional: false, required: false
  public get alertConfigId() {
    return this.getStringAttribute('alert_config_id');
  }

  // alert_id - computed: false, optional: false, required: true
  private _alertId?: string; 
  public get alertId() {
    return this.getStringAttribute('alert_id');
  }
  public set alertId(value: string) {
    this._alertId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get alertIdInput() {
    return this._alertId;
  }

  // cluster_id - computed: true, optional: false, required: false
  public get clusterId() {
    return this.getStringAttribute('cluster_id');
  }

  // cluster_name - computed: true, optional: false, required: false
  public get clusterName() {
    return this.getStringAttribute('cluster_name');
  }

  // created - computed: true, optional: false, required: false
  public get created() {
    return this.getStringAttribute('created');
  }

  // current_value - computed: true, optional: false, required: false
  private _currentValue = new DataDeploymgmtGlobalAlertCurrentValueOutputReference(this, "current_value");
  public get currentValue() {
    return this._currentValue;
  }

  // event_type_name - computed: true, optional: false, required: false
  public get eventTypeName() {
    return this.getStringAttribute('event_type_name');
  }

  // host_id - computed: true, optional: false, required: false
  public get hostId() {
    return this.getStringAttribute('host_id');
  }

  // hostname_and_port - computed: true, optional: false, required: false
  public get hostnameAndPort() {
    return this.getStringAttribute('hostname_and_port');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // last_notified - computed: true, optional: false, required: false
  public get lastNotified() {
    return this.getStringAttribute('last_notified');
  }

  // links - computed: true, optional: false, required: false
  private _links = new DataDeploymgmtGlobalAlertLinksList(this, "links", false);
  public get links() {
    return this._links;
  }

  // metric_name - computed: true, optional: false, required: false
  public get metricName() {
    return this.getStringAttribute('metric_name');
  }

  // project_id - computed: true, optional: false, required: false
  public get projectId() {
    return this.getStringAttribute('project_id');
  }

  // replica_set_name - computed: true, optional: false, required: false
  public get replicaSetName() {
    return this.getStringAttribute('replica_set_name');
  }

  // resolved - computed: true, optional: false, required: false
  public get resolved() {
    return this.getStringAttribute('resolved');
  }

  // source_type_name - computed: true, optional: false, required: false
  public get sourceTypeName() {
    return this.getStringAttribute('source_type_name');
  }

  // status - computed: true, optional: false, required: false
  public get status() {
    return this.getStringAttribute('status');
  }

  // tags - computed: true, optional: false, required: false
  public get tags() {
    return this.getListAttribute('tags');
  }

  // type_name - computed: true, optional: false, required: false
  public get typeName() {
    return this.getStringAttribute('type_name');
  }

  // updated - computed: true, optional: false, required: false
  public get updated() {
    return this.getStringAttribute('updated');
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      alert_id: cdktf.stringToTerraform(this._alertId),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      alert_id: {
        value: cdktf.stringToHclTerraform(this._alertId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
