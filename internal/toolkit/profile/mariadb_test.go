package profile_test

import (
	"strings"
	"testing"

	"github.com/sqbyl/sqbyl/internal/testkit/servers"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

// TestMariaDBTypes has a column of each kind, views, and a table whose key has
// large gaps.
func TestMariaDBTypes(t *testing.T) {
	s := servers.MariaDB(t)
	s.Exec(t, `CREATE TABLE kinds (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, small TINYINT(1), big BIGINT UNSIGNED, price DECIMAL(10,2), ratio DOUBLE, flags BIT(4), born YEAR,
  how ENUM('sad','ok'), many SET('a','b'), code CHAR(8), word VARCHAR(20) CHARACTER SET latin1, body LONGTEXT, doc JSON, raw VARBINARY(10), spot POINT, day DATE, at DATETIME(3), stamp TIMESTAMP, clock TIME, `+"`odd ``name`"+` TEXT);
INSERT INTO kinds (small, big, price, ratio, flags, born, how, many, code, word, body, doc, raw, spot, day, at, stamp, clock, `+"`odd ``name`"+`)
  SELECT seq % 2, 18446744073709551600 + seq % 15, seq * 1.5, seq / 4, seq % 16, 2000 + seq, 'ok', 'a,b', CONCAT('AB', LPAD(seq, 6, '0')), 'Größe', REPEAT('x', 5000), '{"a": 1}', x'00', POINT(1, 1),
  DATE '2024-01-01' + INTERVAL seq DAY, '2024-01-01 10:00:00.5', '2024-01-01 10:00:00', '-100:00:00', NULL FROM seq_1_to_20;
CREATE VIEW v AS SELECT how, COUNT(*) AS n FROM kinds GROUP BY how;
CREATE TABLE sparse (id BIGINT PRIMARY KEY, n INT); INSERT INTO sparse SELECT seq * 1000000007, seq % 4000 FROM seq_1_to_80000;
CREATE TABLE keyless (n INT, word VARCHAR(10)); INSERT INTO keyless SELECT seq % 4000, ELT(1 + seq % 3, 'one', 'two', 'three') FROM seq_1_to_80000;
CREATE VIEW large AS SELECT n, word FROM keyless; ANALYZE TABLE sparse, keyless;`)
	r := run(t, s.ReaderURL, semantic.Model{}, profile.Options{})
	for name, want := range map[string]string{
		"kinds.id":    `{"nulls":0,"distinct":20,"min":1,"max":20}`,
		"kinds.small": `{"nulls":0,"distinct":2,"min":0,"max":1,"top":[{"value":0,"share":0.5},{"value":1,"share":0.5}]}`,
		"kinds.price": `{"nulls":0,"distinct":20,"min":1.50,"max":30.00,"p05":1.5,"p25":7.5,"p50":15,"p75":22.5,"p95":28.5}`,
		"kinds.how":   `{"nulls":0,"distinct":1,"top":[{"value":"ok","share":1}]}`, "kinds.many": `{"nulls":0,"distinct":1,"top":[{"value":"a,b","share":1}]}`,
		"kinds.word": `{"nulls":0,"distinct":1,"top":[{"value":"Größe","share":1}]}`, "kinds.body": `{"nulls":0,"distinct":1}`, "kinds.raw": `{"nulls":0}`, "kinds.spot": `{"nulls":0}`,
		"kinds.day":       `{"nulls":0,"distinct":20,"min":"2024-01-02","max":"2024-01-21","p05":"2024-01-02","p95":"2024-01-20"}`,
		"kinds.odd `name": `{"nulls":1,"distinct":0}`,
		"kinds.clock":     `{"nulls":0,"distinct":1,"min":"-100:00:00","max":"-100:00:00","top":[{"value":"-100:00:00","share":1}]}`,
		"v.n":             `{"nulls":0,"distinct":1,"min":20,"max":20}`,
	} {
		table, c, _ := strings.Cut(name, ".")
		if got := asJSON(t, column(t, r, table, c).Profile); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	if p := column(t, r, "kinds", "big").Profile; p.Max.Text != "18446744073709551614" {
		t.Errorf("big: %s", asJSON(t, p))
	}
	for _, table := range []string{"sparse", "keyless", "large"} {
		p := column(t, r, table, "n").Profile
		if p == nil || !p.Sampled || p.Min.Text != "0" || p.Max.Text != "3999" || !near(number(t, p.P50), 2000) || !near(p.Distinct.N, 4000) {
			t.Errorf("%s.n: %s", table, asJSON(t, p))
		}
	}
}
