// Command generate rebuilds the small school database of this folder, the
// same bytes of content every time. The result is checked in: 100 KB.
//
//	go run ./examples/school/generate
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"
)

const schema = `
CREATE TABLE schools (sch_id INTEGER PRIMARY KEY, sch_name TEXT NOT NULL, cnty TEXT NOT NULL, charter INTEGER NOT NULL, opened INTEGER);
CREATE TABLE students (stu_id INTEGER PRIMARY KEY, sch_id INTEGER NOT NULL REFERENCES schools (sch_id), stu_name TEXT NOT NULL, grade INTEGER NOT NULL, free_meal INTEGER NOT NULL);
CREATE TABLE scores (stu_id INTEGER NOT NULL REFERENCES students (stu_id), subject TEXT NOT NULL, taken INTEGER NOT NULL, score INTEGER, PRIMARY KEY (stu_id, subject, taken));
CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, club_name TEXT NOT NULL);
CREATE TABLE members (club_id INTEGER NOT NULL REFERENCES clubs (club_id), stu_id INTEGER NOT NULL REFERENCES students (stu_id), since INTEGER NOT NULL, PRIMARY KEY (club_id, stu_id));
`

func main() {
	path := filepath.Join("examples", "school", "dev_databases", "school", "school.sqlite")
	if err := build(path); err != nil {
		fmt.Fprintln(os.Stderr, "generate the school database:", err)
		os.Exit(1)
	}
}

func build(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	conn, err := sqlite3.Open(path)
	if err != nil {
		return err
	}
	if err := conn.Exec("BEGIN;" + schema); err != nil {
		return err
	}
	for _, insert := range inserts() {
		if err := conn.Exec(insert); err != nil {
			return fmt.Errorf("%s: %w", insert, err)
		}
	}
	if err := conn.Exec("COMMIT; VACUUM"); err != nil {
		return err
	}
	return conn.Close()
}

func inserts() []string {
	random := rand.New(rand.NewPCG(7, 11))
	counties := []string{"Marin", "Alameda", "Fresno", "Orange"}
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf("INSERT INTO "+format, args...)) }
	for id := 1; id <= 14; id++ {
		opened := "NULL"
		if id%5 != 0 {
			opened = fmt.Sprint(1958 + random.IntN(60))
		}
		name := []string{"Lakeside", "Hillcrest", "Redwood", "Bayview", "Sunrise", "Oak Grove", "St. Mary''s"}[(id-1)%7]
		kind := []string{"High", "Academy"}[(id-1)/7]
		add("schools VALUES (%d, '%s %s', '%s', %d, %s)", id, name, kind, counties[id%4], random.IntN(2), opened)
	}
	given := []string{"Ada", "Ben", "Chloé", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jun"}
	family := []string{"Ames", "Bell", "Cruz", "Diaz", "Egan", "Frost", "Gray", "Holt"}
	for id := 1; id <= 180; id++ {
		add("students VALUES (%d, %d, '%s %s', %d, %d)", id, 1+random.IntN(13), given[random.IntN(10)], family[random.IntN(8)], 9+random.IntN(4), random.IntN(2))
		for _, subject := range []string{"math", "reading", "science"} {
			for taken := 2024; taken <= 2025; taken++ {
				if random.IntN(10) == 0 {
					continue
				}
				score := fmt.Sprint(40 + random.IntN(61))
				if random.IntN(25) == 0 {
					score = "NULL"
				}
				add("scores VALUES (%d, '%s', %d, %s)", id, subject, taken, score)
			}
		}
	}
	for id, club := range []string{"Chess", "Robotics", "Choir", "Rowing"} {
		add("clubs VALUES (%d, '%s')", id+1, club)
		for range 20 {
			add("members VALUES (%d, %d, %d) ON CONFLICT DO NOTHING", id+1, 1+random.IntN(180), 2023+random.IntN(3))
		}
	}
	return out
}
