// docs/data-sources/organization_events.md
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataDeploymgmtOrganizationEventsConfig extends cdktf.TerraformMetaArguments {
  /**
  * Only events of this type.
  *
  * See docs/data-sources/organization_events.md
  */
  readonly eventType?: string;
  /**
  * Whether the answer includes `raw`. Defaults to false.
  *
  * See docs/data-sources/organization_events.md
  */
  readonly includeRaw?: boolean | cdktf.IResolvable;
  /**
  * Maximum number of items. Defaults to all.
  *
  * See docs/data-sources/organization_events.md
  */
  readonly limit?: number;
  /**
  * Events created at this instant or earlier.
  *
  * See docs/data-sources/organization_events.md
  */
  readonly maxDate?: string;
  /**
  * Events created at this instant or later.
  *
  * See docs/data-sources/organization_events.md
  */
  readonly minDate?: string;
  /**
  * Organization whose events are read.
  *
  * See docs/data-sources/organization_events.md
  */
  readonly orgId: string;
}
export interface DataDeploymgmtOrganizationEventsResultsCurrentValue {
}

export function dataDeploymgmtOrganizationEventsResultsCurrentValueToTerraform(struct?: DataDeploymgmtOrganizationEventsResultsCurrentValue): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtOrganizationEventsResultsCurrentValueToHclTerraform(struct?: DataDeploymgmtOrganizationEventsResultsCurrentValue): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtOrganizationEventsResultsCurrentValueOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataDeploymgmtOrganizationEventsResultsCurrentValue | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtOrganizationEventsResultsCurrentValue | undefined) {
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
export interface DataDeploymgmtOrganizationEventsResultsDiffsParams {
}

export function dataDeploymgmtOrganizationEventsResultsDiffsParamsToTerraform(struct?: DataDeploymgmtOrganizationEventsResultsDiffsParams): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtOrganizationEventsResultsDiffsParamsToHclTerraform(struct?: DataDeploymgmtOrganizationEventsResultsDiffsParams): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtOrganizationEventsResultsDiffsParamsOutputReference extends cdktf.ComplexObject {
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

  public get internalValue(): DataDeploymgmtOrganizationEventsResultsDiffsParams | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtOrganizationEventsResultsDiffsParams | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // display - computed: true, optional: false, required: false
  public get display() {
    return this.getStringAttribute('display');
  }

  // new - computed: true, optional: false, required: false
  public get new() {
    return this.getStringAttribute('new');
  }

  // old - computed: true, optional: false, required: false
  public get old() {
    return this.getStringAttribute('old');
  }

  // param - computed: true, optional: false, required: false
  public get param() {
    return this.getStringAttribute('param');
  }
}

export class DataDeploymgmtOrganizationEventsResultsDiffsParamsList extends cdktf.ComplexList {

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
  public get(index: number): DataDeploymgmtOrganizationEventsResultsDiffsParamsOutputReference {
    return new DataDeploymgmtOrganizationEventsResultsDiffsParamsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
export interface DataDeploymgmtOrganizationEventsResultsDiffs {
}

export function dataDeploymgmtOrganizationEventsResultsDiffsToTerraform(struct?: DataDeploymgmtOrganizationEventsResultsDiffs): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtOrganizationEventsResultsDiffsToHclTerraform(struct?: DataDeploymgmtOrganizationEventsResultsDiffs): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtOrganizationEventsResultsDiffsOutputReference extends cdktf.ComplexObject {
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

  public get internalValue(): DataDeploymgmtOrganizationEventsResultsDiffs | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtOrganizationEventsResultsDiffs | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // params - computed: true, optional: false, required: false
  private _params = new DataDeploymgmtOrganizationEventsResultsDiffsParamsList(this, "params", false);
  public get params() {
    return this._params;
  }

  // privileges - computed: true, optional: false, required: false
  public get privileges() {
    return this.getStringAttribute('privileges');
  }

  // roles - computed: true, optional: false, required: false
  public get roles() {
    return this.getStringAttribute('roles');
  }

  // status - computed: true, optional: false, required: false
  public get status() {
    return this.getStringAttribute('status');
  }

  // type - computed: true, optional: false, required: false
  public get type() {
    return this.getStringAttribute('type');
  }
}

export class DataDeploymgmtOrganizationEventsResultsDiffsList extends cdktf.ComplexList {

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
  public get(index: number): DataDeploymgmtOrganizationEventsResultsDiffsOutputReference {
    return new DataDeploymgmtOrganizationEventsResultsDiffsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
export interface DataDeploymgmtOrganizationEventsResultsLinks {
}

export function dataDeploymgmtOrganizationEventsResultsLinksToTerraform(struct?: DataDeploymgmtOrganizationEventsResultsLinks): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtOrganizationEventsResultsLinksToHclTerraform(struct?: DataDeploymgmtOrganizationEventsResultsLinks): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtOrganizationEventsResultsLinksOutputReference extends cdktf.ComplexObject {
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

  public get internalValue(): DataDeploymgmtOrganizationEventsResultsLinks | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtOrganizationEventsResultsLinks | undefined) {
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

export class DataDeploymgmtOrganizationEventsResultsLinksList extends cdktf.ComplexList {

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
  public get(index: number): DataDeploymgmtOrganizationEventsResultsLinksOutputReference {
    return new DataDeploymgmtOrganizationEventsResultsLinksOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}
export interface DataDeploymgmtOrganizationEventsResults {
}

export function dataDeploymgmtOrganizationEventsResultsToTerraform(struct?: DataDeploymgmtOrganizationEventsResults): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataDeploymgmtOrganizationEventsResultsToHclTerraform(struct?: DataDeploymgmtOrganizationEventsResults): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataDeploymgmtOrganizationEventsResultsOutputReference extends cdktf.ComplexObject {
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

  public get internalValue(): DataDeploymgmtOrganizationEventsResults | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataDeploymgmtOrganizationEventsResults | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // access_list_entry - computed: true, optional: false, required: false
  public get accessListEntry() {
    return this.getStringAttribute('access_list_entry');
  }

  // alert_config_id - computed: true, optional: false, required: false
  public get alertConfigId() {
    return this.getStringAttribute('alert_config_id');
  }

  // alert_id - computed: true, optional: false, required: false
  public get alertId() {
    return this.getStringAttribute('alert_id');
  }

  // api_key_id - computed: true, optional: false, required: false
  public get apiKeyId() {
    return this.getStringAttribute('api_key_id');
  }

  // cluster_id - computed: true, optional: false, required: false
  public get clusterId() {
    return this.getStringAttribute('cluster_id');
  }

  // cluster_name - computed: true, optional: false, required: false
  public get clusterName() {
    return this.getStringAttribute('cluster_name');
  }

  // collection - computed: true, optional: false, required: false
  public get collection() {
    return this.getStringAttribute('collection');
  }

  // created - computed: true, optional: false, required: false
  public get created() {
    return this.getStringAttribute('created');
  }

  // current_value - computed: true, optional: false, required: false
  private _currentValue = new DataDeploymgmtOrganizationEventsResultsCurrentValueOutputReference(this, "current_value");
  public get currentValue() {
    return this._currentValue;
  }

  // database - computed: true, optional: false, required: false
  public get database() {
    return this.getStringAttribute('database');
  }

  // diffs - computed: true, optional: false, required: false
  private _diffs = new DataDeploymgmtOrganizationEventsResultsDiffsList(this, "diffs", false);
  public get diffs() {
    return this._diffs;
  }

  // event_type_name - computed: true, optional: false, required: false
  public get eventTypeName() {
    return this.getStringAttribute('event_type_name');
  }

  // host_id - computed: true, optional: false, required: false
  public get hostId() {
    return this.getStringAttribute('host_id');
  }

  // hostname - computed: true, optional: false, required: false
  public get hostname() {
    return this.getStringAttribute('hostname');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_global_admin - computed: true, optional: false, required: false
  public get isGlobalAdmin() {
    return this.getBooleanAttribute('is_global_admin');
  }

  // links - computed: true, optional: false, required: false
  private _links = new DataDeploymgmtOrganizationEventsResultsLinksList(this, "links", false);
  public get links() {
    return this._links;
  }

  // maintenance_window_id - computed: true, optional: false, required: false
  public get maintenanceWindowId() {
    return this.getStringAttribute('maintenance_window_id');
  }

  // metric_name - computed: true, optional: false, required: false
  public get metricName() {
    return this.getStringAttribute('metric_name');
  }

  // op_type - computed: true, optional: false, required: false
  public get opType() {
    return this.getStringAttribute('op_type');
  }

  // org_id - computed: true, optional: false, required: false
  public get orgId() {
    return this.getStringAttribute('org_id');
  }

  // port - computed: true, optional: false, required: false
  public get port() {
    return this.getNumberAttribute('port');
  }

  // project_id - computed: true, optional: false, required: false
  public get projectId() {
    return this.getStringAttribute('project_id');
  }

  // public_key - computed: true, optional: false, required: false
  public get publicKey() {
    return this.getStringAttribute('public_key');
  }

  // raw - computed: true, optional: false, required: false
  public get raw() {
    return this.getStringAttribute('raw');
  }

  // remote_address - computed: true, optional: false, required: false
  public get remoteAddress() {
    return this.getStringAttribute('remote_address');
  }

  // replica_set_name - computed: true, optional: false, required: false
  public get replicaSetName() {
    return this.getStringAttribute('replica_set_name');
  }

  // shard_name - computed: true, optional: false, required: false
  public get shardName() {
    return this.getStringAttribute('shard_name');
  }

  // target_public_key - computed: true, optional: false, required: false
  public get targetPublicKey() {
    return this.getStringAttribute('target_public_key');
  }

  // target_username - computed: true, optional: false, required: false
  public get targetUsername() {
    return this.getStringAttribute('target_username');
  }

  // team_id - computed: true, optional: false, required: false
  public get teamId() {
    return this.getStringAttribute('team_id');
  }

  // user_id - computed: true, optional: false, required: false
  public get userId() {
    return this.getStringAttribute('user_id');
  }

  // username - computed: true, optional: false, required: false
  public get username() {
    return this.getStringAttribute('username');
  }
}

export class DataDeploymgmtOrganizationEventsResultsList extends cdktf.ComplexList {

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
  public get(index: number): DataDeploymgmtOrganizationEventsResultsOutputReference {
    return new DataDeploymgmtOrganizationEventsResultsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* Represents a deploymgmt_organization_events (docs/data-sources/organization_events.md)
*/
export class DataDeploymgmtOrganizationEvents extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "deploymgmt_organization_events";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataDeploymgmtOrganizationEvents resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataDeploymgmtOrganizationEvents to import
  * @param importFromId The id of the existing DataDeploymgmtOrganizationEvents that should be imported. Refer to the import section (docs/data-sources/organization_events.md) in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataDeploymgmtOrganizationEvents to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "deploymgmt_organization_events", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new deploymgmt_organization_events (docs/data-sources/organization_events.md) Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataDeploymgmtOrganizationEventsConfig
  */
  public constructor(scope: Construct, id: string, config: DataDeploymgmtOrganizationEventsConfig) {
    super(scope, id, {
      terraformResourceType: 'deploymgmt_organization_events',
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
    this._eventType = config.eventType;
    this._includeRaw = config.includeRaw;
    this._limit = config.limit;
    this._maxDate = config.maxDate;
    this._minDate = config.minDate;
    this._orgId = config.orgId;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // event_type - computed: false, optional: true, required: false
  private _eventType?: string; 
  public get eventType() {
    return this.getStringAttribute('event_type');
  }
  public set eventType(value: string) {
    this._eventType = value;
  }
  public resetEventType() {
    this._eventType = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get eventTypeInput() {
    return this._eventType;
  }

  // include_raw - computed: false, optional: true, required: false
  private _includeRaw?: boolean | cdktf.IResolvable; 
  public get includeRaw() {
    return this.getBooleanAttribute('include_raw');
  }
  public set includeRaw(value: boolean | cdktf.IResolvable) {
    this._includeRaw = value;
  }
  public resetIncludeRaw() {
    this._includeRaw = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get includeRawInput() {
    return this._includeRaw;
  }

  // limit - computed: false, optional: true, required: false
  private _limit?: number; 
  public get limit() {
    return this.getNumberAttribute('limit');
  }
  public set limit(value: number) {
    this._limit = value;
  }
  public resetLimit() {
    this._limit = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get limitInput() {
    return this._limit;
  }

  // max_date - computed: false, optional: true, required: false
  private _maxDate?: string; 
  public get maxDate() {
    return this.getStringAttribute('max_date');
  }
  public set maxDate(value: string) {
    this._maxDate = value;
  }
  public resetMaxDate() {
    this._maxDate = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxDateInput() {
    return this._maxDate;
  }

  // min_date - computed: false, optional: true, required: false
  private _minDate?: string; 
  public get minDate() {
    return this.getStringAttribute('min_date');
  }
  public set minDate(value: string) {
    this._minDate = value;
  }
  public resetMinDate() {
    this._minDate = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get minDateInput() {
    return this._minDate;
  }

  // org_id - computed: false, optional: false, required: true
  private _orgId?: string; 
  public get orgId() {
    return this.getStringAttribute('org_id');
  }
  public set orgId(value: string) {
    this._orgId = value;
  }
  // Temporarily expose input value. Use with caution.
  public get orgIdInput() {
    return this._orgId;
  }

  // results - computed: true, optional: false, required: false
  private _results = new DataDeploymgmtOrganizationEventsResultsList(this, "results", false);
  public get results() {
    return this._results;
  }

  // total_count - computed: true, optional: false, required: false
  public get totalCount() {
    return this.getNumberAttribute('total_count');
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      event_type: cdktf.stringToTerraform(this._eventType),
      include_raw: cdktf.booleanToTerraform(this._includeRaw),
      limit: cdktf.numberToTerraform(this._limit),
      max_date: cdktf.stringToTerraform(this._maxDate),
      min_date: cdktf.stringToTerraform(this._minDate),
      org_id: cdktf.stringToTerraform(this._orgId),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      event_type: {
        value: cdktf.stringToHclTerraform(this._eventType),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      include_raw: {
        value: cdktf.booleanToHclTerraform(this._includeRaw),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      limit: {
        value: cdktf.numberToHclTerraform(this._limit),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      max_date: {
        value: cdktf.stringToHclTerraform(this._maxDate),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      min_date: {
        value: cdktf.stringToHclTerraform(this._minDate),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      org_id: {
        value: cdktf.stringToHclTerraform(this._orgId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
