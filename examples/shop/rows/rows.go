// Package rows makes the content of the sample shop's database: the same
// rows from the same seed on every machine and for every dialect.
package rows

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Table is one table's content. A cell is nil, int64, float64 or string;
// times are text, "2026-01-31 09:05:00".
type Table struct {
	Name string
	Rows [][]any
}

const (
	customerCount = 6000
	productCount  = 400
	orderCount    = 26000
	reviewCount   = 7000
	stampLayout   = "2006-01-02 15:04:05"
	dayLayout     = "2006-01-02"
)

// first and last bound the days on which something happens in the shop.
var (
	first = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	last  = time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)
)

// Make builds every table, parents before children.
func Make() []Table {
	m := &maker{random: rand.New(rand.NewPCG(1729, 42)), devices: rand.New(rand.NewPCG(99, 7))}
	m.groups()
	m.categories()
	m.products()
	m.customers()
	m.orders()
	m.reviews()
	m.rates()
	return []Table{
		{"group", m.group}, {"categories", m.category}, {"products", m.product},
		{"customers", m.customer}, {"addresses", m.address}, {"orders", m.order},
		{"order_items", m.item}, {"refunds", m.refund}, {"reviews", m.review}, {"fx_rates", m.rate},
	}
}

type maker struct {
	random, devices                                                                *rand.Rand
	group, category, product, customer, address, order, item, refund, review, rate [][]any
	prices                                                                         []int64
	homes                                                                          []home
	since                                                                          []time.Time
}

// home is where a customer is billed and where parcels go.
type home struct{ billing, shipping int64 }

func (m *maker) pick(list []string) string { return list[m.random.IntN(len(list))] }

// skewed picks an index with the first ones most often.
func (m *maker) skewed(n int) int {
	a, b := m.random.IntN(n), m.random.IntN(n)
	return min(a, b)
}

func (m *maker) chance(percent float64) bool { return m.random.Float64()*100 < percent }

// moment picks a second between two times.
func (m *maker) moment(from, to time.Time) time.Time {
	return from.Add(time.Duration(m.random.Int64N(int64(to.Sub(from)/time.Second))) * time.Second)
}

func (m *maker) groups() {
	for i, name := range []string{"Newcomer", "Regular", "Silver", "Gold", "Platinum"} {
		m.group = append(m.group, []any{int64(i + 1), name, int64([]int{0, 0, 3, 5, 8}[i])})
	}
}

var categoryTree = []struct {
	name     string
	children []string
}{
	{"Kitchen", []string{"Cookware", "Knives", "Coffee", "Storage"}},
	{"Garden", []string{"Tools", "Planters", "Furniture"}},
	{"Office", []string{"Desks", "Chairs", "Lighting", "Paper"}},
	{"Sports", []string{"Cycling", "Running", "Climbing"}},
	{"Toys", []string{"Board Games", "Puzzles"}},
}

func (m *maker) categories() {
	id := int64(0)
	for _, parent := range categoryTree {
		id++
		parentID := id
		m.category = append(m.category, []any{parentID, parent.name, nil})
		for _, child := range parent.children {
			id++
			m.category = append(m.category, []any{id, child, parentID})
		}
	}
}

func (m *maker) products() {
	var leaves []int64
	for _, c := range m.category {
		if c[2] != nil {
			leaves = append(leaves, c[0].(int64))
		}
	}
	makes := []string{"Alder", "Birch", "Cobalt", "Drift", "Ember", "Fjord", "Granite", "Harbor", "Iris", "Juniper"}
	forms := []string{"Set", "Mini", "Pro", "Classic", "Travel", "XL", "Duo", "Basic"}
	vendors := []string{"V-017", "V-023", "V-101", "V-118", "V-204", "V-230", "V-311"}
	for i := range productCount {
		leaf := leaves[i%len(leaves)]
		name := fmt.Sprintf("%s %s %s", makes[i%len(makes)], m.category[leaf-1][1], forms[(i/10+i/80)%len(forms)])
		price := int64(399 + m.random.IntN(240)*50 + m.skewed(400)*25)
		m.prices = append(m.prices, price)
		var gone any
		if m.chance(9) {
			gone = m.moment(first.AddDate(1, 0, 0), last).Format(dayLayout)
		}
		weight := fmt.Sprintf("%d", 80+m.random.IntN(9000))
		if m.chance(3) {
			weight = "n/a"
		}
		m.product = append(m.product, []any{int64(i + 1), fmt.Sprintf("SKU-%05d", 10000+i*7), name, leaf, price, m.pick(vendors), weight, gone})
	}
}

var countries = []struct {
	name   string
	cities []string
	share  int
}{
	{"Denmark", []string{"Aarhus", "København", "Odense"}, 30},
	{"Germany", []string{"Berlin", "Hamburg", "Köln", "München"}, 28},
	{"Sweden", []string{"Göteborg", "Malmö", "Stockholm"}, 16},
	{"Netherlands", []string{"Amsterdam", "Utrecht"}, 12},
	{"France", []string{"Lille", "Lyon", "Paris"}, 9},
	{"Norway", []string{"Bergen", "Oslo"}, 5},
}

// place picks a country by its share and a city of it.
func (m *maker) place() (country, city string) {
	n := m.random.IntN(100)
	for _, c := range countries {
		if n -= c.share; n < 0 {
			return c.name, m.pick(c.cities)
		}
	}
	return countries[0].name, countries[0].cities[0]
}

func (m *maker) addAddress(customer int64, kind string) int64 {
	country, city := m.place()
	id := int64(len(m.address) + 1)
	streets := []string{"Havnegade", "Lindenallee", "Storgatan", "Kerkstraat", "Rue des Lilas", "Skolevej"}
	street := fmt.Sprintf("%s %d", m.pick(streets), 1+m.random.IntN(180))
	m.address = append(m.address, []any{id, customer, kind, street, city, fmt.Sprintf("%05d", m.random.IntN(99999)), country})
	return id
}

var (
	givenNames  = []string{"Anna", "Bjørn", "Clara", "David", "Emma", "Freja", "Gustav", "Hanna", "Ida", "Jonas", "Karl", "Lena", "Maja", "Nils", "Oskar", "Petra", "Rasmus", "Sara", "Tim", "Vera"}
	familyNames = []string{"Andersen", "Berg", "Carlsen", "de Vries", "Eriksson", "Fischer", "Hansen", "Jansen", "Krüger", "Lund", "Martin", "Nielsen", "Olsen", "Petersen", "Schmidt", "Weber"}
)

func (m *maker) customers() {
	for i := range customerCount {
		id := int64(i + 1)
		joined := m.moment(first, last.AddDate(0, -1, 0))
		name := m.pick(givenNames) + " " + m.pick(familyNames)
		active, closed := int64(1), any(nil)
		switch {
		case m.chance(6): // closed on request: the date says so, the flag follows
			active, closed = 0, m.moment(joined, last).Format(dayLayout)
		case m.chance(4): // switched off by support: the flag only
			active = 0
		case m.chance(3): // closed on request, the flag forgotten
			closed = m.moment(joined, last).Format(dayLayout)
		}
		phone := any(fmt.Sprintf("+45 %08d", 20000000+m.random.IntN(9999999)))
		if m.chance(22) {
			phone = nil
		}
		m.customer = append(m.customer, []any{
			id, name, fmt.Sprintf("customer%d@example.com", id), phone, int64(1 + m.skewed(5)), active, closed, joined.Format(stampLayout),
		})
		billing := m.addAddress(id, "billing")
		shipping := billing
		if m.chance(45) {
			shipping = m.addAddress(id, "shipping")
		}
		m.homes = append(m.homes, home{billing, shipping})
		m.since = append(m.since, joined)
	}
}

func (m *maker) orders() {
	for i := range orderCount {
		id := int64(i + 1)
		buyer := m.skewed(customerCount)
		ordered := m.moment(m.since[buyer], last.AddDate(0, 0, 1))
		currency := []string{"EUR", "EUR", "EUR", "DKK", "DKK", "SEK"}[m.random.IntN(6)]
		channel := []string{"web", "web", "web", "app", "app", "phone"}[m.random.IntN(6)]
		test := int64(0)
		if m.chance(1.5) {
			test = 1
		}
		total := m.items(id)
		status := "confirmed"
		switch {
		case m.chance(7):
			status = "refunded"
		case m.chance(5):
			status = "partial_refund"
		case m.chance(4):
			status = "cancelled"
		}
		// The warehouse writes its local time, two hours ahead of UTC.
		var shipped any
		waited := time.Duration(2+m.random.IntN(110)) * time.Hour
		if leaves := ordered.Add(waited + 2*time.Hour); status != "cancelled" && leaves.Before(last.AddDate(0, 0, 1)) && !m.chance(1) {
			shipped = leaves.Format(stampLayout)
		}
		m.order = append(m.order, []any{
			id, int64(buyer + 1), m.homes[buyer].billing, m.homes[buyer].shipping, status, channel,
			ordered.Format(stampLayout), shipped, total, currency, test, m.sent(channel),
		})
		m.refunds(id, status, total, ordered)
	}
}

// sent is what the site or the app sends with an order, as JSON. A few texts
// were cut off by an old release.
func (m *maker) sent(channel string) any {
	if channel == "phone" {
		return nil
	}
	device := []string{"ios", "android", "desktop"}[m.devices.IntN(3)]
	text := fmt.Sprintf(`{"device":"%s"}`, device)
	if m.devices.IntN(100) < 18 {
		coupon := []string{"SPRING10", "WELCOME", "FREESHIP"}[m.devices.IntN(3)]
		text = fmt.Sprintf(`{"device":"%s","coupon":"%s"}`, device, coupon)
	}
	if m.devices.IntN(400) == 0 {
		text = text[:len(text)-2]
	}
	return text
}

// items adds an order's lines and returns what they come to, in cents.
func (m *maker) items(order int64) int64 {
	var total int64
	used := map[int]bool{}
	for line := range 1 + m.skewed(6) {
		product := m.skewed(productCount)
		if used[product] {
			continue
		}
		used[product] = true
		quantity := int64(1 + m.skewed(4))
		discount := []int64{0, 0, 0, 0, 5, 5, 10, 15, 25, 100}[m.skewed(10)]
		if discount == 100 && !m.chance(10) {
			discount = 0
		}
		price := m.prices[product]
		total += quantity * price * (100 - discount) / 100
		m.item = append(m.item, []any{order, int64(line + 1), int64(product + 1), quantity, price, fmt.Sprintf("%d", discount)})
	}
	return total
}

func (m *maker) refunds(order int64, status string, total int64, ordered time.Time) {
	var amount int64
	switch status {
	case "refunded":
		amount = total
	case "partial_refund":
		amount = total * int64(10+m.random.IntN(60)) / 100
	default:
		return
	}
	back := ordered.Add(time.Duration(24+m.random.IntN(24*40)) * time.Hour)
	reasons := []string{"R1", "R2", "R3", "R7"}
	m.refund = append(m.refund, []any{int64(len(m.refund) + 1), order, amount, m.pick(reasons), back.Format(stampLayout)})
}

func (m *maker) reviews() {
	for i := range reviewCount {
		rating := fmt.Sprintf("%d", 5-m.skewed(5))
		switch {
		case m.chance(4):
			rating = "n/a"
		case m.chance(1):
			rating = "10" // a few came from the old ten-point form
		}
		var text any
		if m.chance(60) {
			text = m.pick([]string{"Great value", "Arrived late", "Exactly as described", "Would buy again", "Too small", "Broke after a week"})
		}
		m.review = append(m.review, []any{
			int64(i + 1), int64(1 + m.skewed(productCount)), int64(1 + m.random.IntN(customerCount)), rating, text, m.moment(first, last).Format(dayLayout),
		})
	}
}

// rates adds a day's exchange rates to the euro. Some days were loaded
// twice, with equal values: the table has no key.
func (m *maker) rates() {
	base := map[string]float64{"DKK": 0.1341, "SEK": 0.0882, "NOK": 0.0853}
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		for _, code := range []string{"DKK", "NOK", "SEK"} {
			rate := float64(int64(base[code]*(0.98+0.04*m.random.Float64())*1e6)) / 1e6
			row := []any{day.Format(dayLayout), code, rate}
			m.rate = append(m.rate, row)
			if m.chance(2) {
				m.rate = append(m.rate, row)
			}
		}
		m.rate = append(m.rate, []any{day.Format(dayLayout), "EUR", 1.0})
	}
}
