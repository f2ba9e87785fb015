package guard

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// attributeCalls are functions of one argument that do more than compute, of
// the server and of the modules that come with it; those whose names begin
// like the engine's own catalogue are refused by that. A function that
// somebody made is the session's to find.
var attributeCalls = set(`aclexplode amvalidate brin_summarize_new_values current_setting currval gin_clean_pending_list
	inet_send lo_close lo_creat lo_create lo_get lo_import lo_tell lo_tell64 lo_unlink mxid_age nextval obj_description
	plpgsql_validator row_security_active setseed ts_stat
	to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc to_regprocedure to_regrole to_regtype
	txid_snapshot_send txid_snapshot_xip txid_snapshot_xmax txid_snapshot_xmin txid_status
	binary_upgrade_set_next_array_pg_type_oid binary_upgrade_set_next_heap_pg_class_oid binary_upgrade_set_next_heap_relfilenode
	binary_upgrade_set_next_index_pg_class_oid binary_upgrade_set_next_index_relfilenode
	binary_upgrade_set_next_multirange_array_pg_type_oid binary_upgrade_set_next_multirange_pg_type_oid
	binary_upgrade_set_next_pg_authid_oid binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_tablespace_oid
	binary_upgrade_set_next_pg_type_oid binary_upgrade_set_next_toast_pg_class_oid binary_upgrade_set_next_toast_relfilenode
	binary_upgrade_set_record_init_privs
	brin_metapage_info brin_page_type brin_revmap_data bt_index_check bt_index_parent_check bt_metap bt_page_items
	crosstab crosstab2 crosstab3 crosstab4 dblink dblink_cancel_query dblink_close dblink_connect dblink_connect_u
	dblink_disconnect dblink_error_message dblink_exec dblink_get_notify dblink_get_pkey dblink_get_result dblink_is_busy
	fsm_page_contents gin_leafpage_items gin_metapage_info gin_page_opaque_info gist_page_items_bytea gist_page_opaque_info
	hash_metapage_info hash_page_items hash_page_stats hash_page_type heap_page_items page_header pgrowlocks pgstatginindex
	pgstathashindex pgstatindex pgstattuple pgstattuple_approx postgres_fdw_disconnect set_limit ssl_client_dn_field
	ssl_issuer_field verify_heapam`)

// attributes refuses functions written like columns: x.f and (x).f mean f(x)
// where x has no column f.
func (c *checker) attributes() *Refusal {
	if !c.policy.Rules.AttributeCalls {
		return nil
	}
	for i := 1; i < len(c.Tokens); i++ {
		if c.Tokens[i].Kind > sqltext.Name || c.Tokens[i-1].Kind != sqltext.Dot || c.Is(i+1, "(") {
			continue
		}
		name := c.functionName(i)
		if !attributeCalls[name] && !c.policy.hiddenName(name) || c.policy.allowsFunction(name) {
			continue
		}
		r := c.refuse(LayerFunction, "attribute", i, fmt.Sprintf("x.%s is the call %s(x) where x has no such column, and it does more than compute", clip(name), clip(name)),
			fmt.Sprintf("leave it out; if it only computes, allow it in sqbyl.yaml: database.allow_functions: [%s]", name))
		r.Names = []string{name}
		return r
	}
	return nil
}

// hiddenName reports a name that begins like the engine's own catalogue.
func (p *Policy) hiddenName(name string) bool {
	for _, prefix := range p.HiddenPrefixes {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}
