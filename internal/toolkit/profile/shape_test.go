package profile

import (
	"fmt"
	"testing"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/semantic"
)

func texts(list ...string) []db.Value {
	out := make([]db.Value, len(list))
	for i, s := range list {
		out[i] = db.TextValue(s)
	}
	return out
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		want   string
		number bool
		texts  []string
	}{
		{"email", false, []string{"ada@example.com", "b.o+b@x.co.uk"}},
		{"uuid", false, []string{"123e4567-e89b-12d3-a456-426614174000"}},
		{"date", false, []string{"2024-02-29", "1999-12-31", "", "0000-00-00"}},
		{"", false, []string{"2024-02-30", "2024-13-01"}},
		{"datetime", false, []string{"2024-02-29 10:00:00.0", "2024-02-29T10:00Z", "2024-02-29 10:00:00+02:00"}},
		{"month", false, []string{"2024-02", "2023-11"}},
		{"time", false, []string{"09:05", "23:59:59"}},
		{"date m/d/y", false, []string{"2/13/2013", "12/31/2014"}},
		{"date d/m/y", false, []string{"13/2/2013", "31/12/2014"}},
		{"date d.m.y", false, []string{"13.2.2013", "1.12.2014"}},
		{"date d-mon-y", false, []string{"13-Feb-2013", "1-Dec-2014"}},
		{"phone", false, []string{"+49 351 123456", "(030) 1234-5678", "555-123-4567"}},
		{"ip address", false, []string{"10.0.0.1", "192.168.255.1", "2001:db8::1", "fe80::1ff:fe23:4567:890a"}},
		{"social security number", false, []string{"078-05-1120", "219-09-9999"}},
		{"card number", false, []string{"4111 1111 1111 1111", "5500-0000-0000-0004"}},
		{"iban", false, []string{"DE89370400440532013000", "GB29 NWBK 6016 1331 9268 19"}},
		{"url", false, []string{"https://example.com/a?b", "www.example.org"}},
		{"hash", false, []string{"d41d8cd98f00b204e9800998ecf8427e"}},
		{"json", false, []string{`{"a": 1}`, `[1, 2]`}},
		{"json", false, []string{`{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1}`, `{"a": 1`}}, // one in ten is cut
		{"code AA-9999", false, []string{"AB-1234", "CD-0001", "EF-7777"}},
		{"code AAA", false, []string{"EUR", "USD", "SEK"}},
		{"", true, []string{"01067", "12", "-3.5"}},
		{"", true, []string{"1,234", "12,345,678.90", "5"}},
		{"", false, []string{"apple", "pear", "plum"}},
		{"", false, []string{"Apple", "PEAR", "plum juice"}},
		{"", false, []string{"1", "2"}}, // too few to tell
	} {
		d := look(db.Textual, texts(c.texts...))
		if d.shape.name != c.want || d.number != c.number {
			t.Errorf("%q: %q, numbers %v; want %q, %v", c.texts, d.shape.name, d.number, c.want, c.number)
		}
	}
}

// TestDuj1 holds the estimator against columns whose number of distinct
// values is known, from every 50th row of a million.
func TestDuj1(t *testing.T) {
	const total, step = 1_000_000, 50
	for _, distinct := range []int{3, 500, 20_000, total} {
		var values []db.Value
		random := uint64(7)
		for range total / step {
			random = random*6364136223846793005 + 1442695040888963407
			values = append(values, db.IntValue(int64(random>>33)%int64(distinct)))
		}
		if distinct == total {
			for i := range values {
				values[i] = db.IntValue(int64(i))
			}
		}
		d := look(db.Numeric, values)
		got := estimate(d.n(), len(d.runs), d.once, total)
		if float64(got) < 0.85*float64(distinct) || float64(got) > 1.15*float64(distinct) {
			t.Errorf("%d distinct values are estimated as %d", distinct, got)
		}
	}
}

func TestPersonalNames(t *testing.T) {
	check := func(want bool, table string, class db.Class, names ...string) {
		t.Helper()
		for _, name := range names {
			if got := personalName(table, name, class); (got != "") != want {
				t.Errorf("%s.%s: %q", table, name, got)
			}
		}
	}
	check(true, "x", db.Textual, "customer_email", "CustomerEmail", "E-Mail", "EMailAddress", "emailaddress", "customer_mail", "contact_email_1", "PHONE_NUMBER", "phonenumber", "tel_no", "home_phone2", "telefon",
		"firstName", "FIRST_NAME", "LName", "last_nm", "givenname", "vorname", "prénom", "customer_name", "CustomerName", "user_name", "username", "contact_person", "middle_initial",
		"date_of_birth", "dateofbirth", "BirthDate", "BirthDt", "born_on", "geburtsdatum", "ip", "client_ip", "ipaddress", "billing_address", "HomeAddr", "address_line_1", "addressline2", "streetaddress", "house_no", "street", "streets",
		"iban", "account_no", "cc_number", "creditcard", "ssn", "national_id", "nationalid", "tax_id", "taxid", "passport_no", "passport_id", "driver_license_no", "password_hash", "apikey", "api_token", "mac_address", "MIN_SALARY")
	check(true, "x", db.Numeric, "phone", "ssn", "birth_year", "salary", "account_no", "annual_income")
	check(true, "crm.customers", db.Textual, "name")
	check(true, "app_users", db.Textual, "Name")
	check(false, "products", db.Textual, "name")
	check(false, "customers", db.Textual, "group_name", "city")
	check(false, "x", db.Textual, "name", "product_name", "file_name", "zip", "city", "country", "tip", "status", "microphone", "trip", "island", "version", "headline",
		"email_type", "email_status", "email_domain", "email_template", "email_subject", "email_sent_at", "email_opt_in", "email_language", "phone_type", "phone_model", "phone_country", "mobile_os", "street_type", "address_country", "address_city",
		"address_code", "AddressGuid", "address_uuid", "income_group", "token_type", "tokens", "password_changed_at", "password_expires", "salary_currency", "salary_grade", "ip_rights", "ip_version")
	check(false, "x", db.Numeric, "billing_address_id", "address_id", "addressid", "AddressID", "address_fk", "address_idx", "id_address", "fk_address", "email_id", "ship_id", "emailed_count", "streets_count", "shipping_days", "email_verified", "is_email", "has_phone",
		"emails_sent", "num_emails", "n_phones", "births", "birth_rate", "input_tokens", "max_tokens", "token_price", "income", "net_income", "total_wages", "mobile_sessions")
}

func TestQuantilesAndShares(t *testing.T) {
	var values []db.Value
	for i := range 100 {
		values = append(values, db.IntValue(int64(99-i)))
	}
	d := look(db.Numeric, append(values, db.Value{}))
	if q := quantiles(d.runs); fmt.Sprint(q) != "[4 24 49 74 94]" || d.nulls != 1 || d.n() != 100 {
		t.Errorf("%v, %d NULL of %d", q, d.nulls, d.rows)
	}
	for _, c := range []struct{ part, whole, want float64 }{{0, 10, 0}, {10, 10, 1}, {1, 3, 0.3333}, {99_999_999, 100_000_000, 0.9999}, {1, 100_000_000, 1e-8}, {1, 0, 0}} {
		if got := share(c.part, c.whole); got != c.want {
			t.Errorf("%v of %v: %v", c.part, c.whole, got)
		}
	}
	for n, want := range map[int64]int64{0: 0, 999: 999, 1234: 1230, 299_603: 300_000, 6_001_215: 6_000_000} {
		if got := rounded(n); got != want {
			t.Errorf("%d: %d", n, got)
		}
	}
}

func TestPercent(t *testing.T) {
	for part, want := range map[float64]string{1: "100 %", 0.995: "100 %", 0.5: "50 %", 0.0949: "9.5 %", 0.032: "3.2 %", 0.0004: "0.04 %"} {
		if got := percent(part); got != want {
			t.Errorf("%v: %s, want %s", part, got, want)
		}
	}
}

func TestFillTellsNamesApartByCase(t *testing.T) {
	one, two := 0.1, 0.2
	measured := Table{Name: "t", Columns: []Column{{Name: "id", Profile: &semantic.Profile{Nulls: &one}}, {Name: "ID", Profile: &semantic.Profile{Nulls: &two}}}}
	got := measured.Fill(semantic.Table{Name: "t", Columns: []semantic.Column{{Name: "id"}, {Name: "ID"}, {Name: "Id"}}})
	for i, want := range []float64{one, two, one} {
		if *got.Columns[i].Profile.Nulls != want {
			t.Errorf("%s: %v, want %v", got.Columns[i].Name, *got.Columns[i].Profile.Nulls, want)
		}
	}
}
