package profile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// personalTexts are the words of a column's name that hint at a person's data
// where the column holds text. A name of several words is written with spaces.
var personalTexts = []string{
	"email", "e mail", "email address",
	"first name", "firstname", "last name", "lastname", "surname", "full name", "middle name", "middle initial", "maiden name", "given name", "family name", "forename", "nickname", "fname", "lname", "f name", "l name",
	"user name", "login name", "contact person", "cardholder", "birthplace", "place of birth",
	"iban", "bic", "street", "house number", "address", "ip", "ipv4", "ipv6", "gps",
	"password", "passwd", "pwd", "secret", "token", "api key", "hash salt",
	"religion", "ethnicity", "diagnosis", "diagnosis code",
	"vorname", "nachname", "familienname", "anschrift", "adresse", "strasse", "straße", "hausnummer",
	"prenom", "prénom", "nom famille", "nom de famille", "apellido", "apellidos", "direccion", "dirección", "correo",
}

// personalNumbers are those that may be held as numbers or dates too.
var personalNumbers = []string{
	"phone", "telephone", "mobile", "cell phone", "cell number", "fax", "msisdn", "telefon", "handy", "telefono", "teléfono",
	"birth", "birth date", "birth day", "birth year", "birthday", "birthdate", "birthyear", "date of birth", "year of birth", "dob", "born", "born on", "born at",
	"geburtsdatum", "geburtstag", "date naissance", "date de naissance", "fecha nacimiento", "fecha de nacimiento",
	"ssn", "social security", "national id", "identity number", "id number", "passport", "passport id", "tax id", "tax number", "steuernummer",
	"card number", "credit card", "cvv", "bank account", "account number", "kontonummer", "license number", "licence number", "driver license", "drivers license", "driver licence", "drivers licence", "driving licence", "pin code",
	"salary", "wage", "annual income", "monthly income", "household income", "personal income",
}

// persons are whose name is personal, as singular words: of customer_name, of
// the column name in a table customers.
var persons = wordSet(`person people customer client contact patient employee emp staff user member guest passenger student pupil applicant
	candidate subscriber donor tenant resident voter holder spouse mother father guardian recipient sender beneficiary driver`)

// about are words that make of a person's datum something about it: the
// address_id is no address, the email_domain no person.
var about = wordSet(`id ids key keys fk pk ref idx index ident uuid guid code count counts cnt type kind status flag verified valid confirmed opt in out at on by
	sent opened clicked bounced received domain template subject language lang version model os app apps country city region rate rank price cost currency
	grade group range band expires expiry expired changed reset date time provider source format rights session sessions usage required enabled allowed
	exists missing policy length level limit change`)

// counted words before a datum make a number or a mark of it.
var aboutFirst = wordSet("is has had num n cnt count total sum avg average id fk pk key")

// spelled are the words that a short form stands for.
var spelled = map[string]string{"addr": "address", "adr": "address", "tel": "phone", "fone": "phone", "fon": "phone", "mail": "email", "no": "number", "nr": "number", "num": "number",
	"nbr": "number", "nm": "name", "acct": "account", "acc": "account", "cc": "card", "str": "street", "cust": "customer", "apikey": "api key", "dt": "date", "line": ""}

func wordSet(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// parts are the words that names written without a break are made of.
var parts = func() map[string]bool {
	m := wordSet("number name id home work user customer cust client contact ship shipping bill billing mailing line data holder of code type key mobile cell card credit bank account no nr addr mail tel social security tax national date day year client remote")
	for _, name := range slices.Concat(personalTexts, personalNumbers) {
		for _, w := range strings.Fields(name) {
			if len(w) > 2 {
				m[w] = true
			}
		}
	}
	m["ip"] = true
	return m
}()

// apart cuts a word into those it is written together from: emailaddress.
func apart(word string) []string {
	if word == "" {
		return []string{}
	}
	for end := len(word); end >= 2; end-- {
		if !parts[word[:end]] {
			continue
		}
		if rest := apart(word[end:]); rest != nil {
			return append([]string{word[:end]}, rest...)
		}
	}
	return nil
}

// personalName says which word of a column's name hints at a person, "" for
// none. The table tells whose a column name is.
func personalName(table, column string, class db.Class) string {
	words := read(column)
	if len(words) == 0 {
		return ""
	}
	if len(words) == 1 && words[0] == "name" {
		if of := wordsOf(table[strings.LastIndexByte(table, '.')+1:]); len(of) > 0 {
			words = append(of[len(of)-1:], words...)
		}
	}
	first, last := words[0], words[len(words)-1]
	all := " " + strings.Join(words, " ") + " "
	fits := func(name string) bool {
		if about[last] && !strings.HasSuffix(name, last) || len(words) > 1 && aboutFirst[first] && !strings.HasPrefix(name, first) {
			return false
		}
		return strings.Contains(all, " "+name+" ") || class != db.Numeric && name != "token" && strings.Contains(all, " "+name+"s ")
	}
	if i := slices.IndexFunc(personalNumbers, fits); i >= 0 {
		return personalNumbers[i]
	}
	if class == db.Numeric {
		return ""
	}
	if i := slices.IndexFunc(personalTexts, fits); i >= 0 {
		return personalTexts[i]
	}
	for i, w := range words {
		if i > 0 && w == "name" && i == len(words)-1 && (persons[words[i-1]] || persons[strings.TrimSuffix(words[i-1], "s")]) {
			return strings.TrimSuffix(words[i-1], "s") + " name"
		}
	}
	return ""
}

// read gives the words of a column's name, those written together apart, short
// forms in full, without numbers.
func read(column string) []string {
	var out []string
	for _, w := range wordsOf(column) {
		if bare := strings.TrimRight(w, "0123456789"); bare != "ipv" {
			w = bare
		}
		list := apart(w)
		if list == nil || slices.Contains(personalTexts, w) || slices.Contains(personalNumbers, w) {
			list = []string{w}
		}
		for _, w := range list {
			if full, ok := spelled[w]; ok {
				w = full
			}
			out = append(out, strings.Fields(w)...)
		}
	}
	return out
}

// wordsOf splits customer_email, CustomerEmail and customer-email.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// isVersion reports a column of versions, 1.2.3.4.
func isVersion(column string) bool {
	return slices.ContainsFunc(wordsOf(column), func(w string) bool {
		return w == "version" || w == "ver" || w == "release" || w == "build" || w == "firmware"
	})
}
