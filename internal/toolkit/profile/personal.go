package profile

import (
	"strings"
	"unicode"
)

// personalNames are the words of a column's name that hint at a person's
// data. A name of several words is written with spaces.
var personalNames = []string{
	"email", "e mail", "mail address", "phone", "telephone", "mobile", "cell phone", "fax", "msisdn",
	"first name", "firstname", "last name", "lastname", "surname", "full name", "fullname", "middle name", "maiden name", "given name", "family name", "forename",
	"fname", "lname", "birth", "birthday", "birthdate", "birthplace", "dob", "date of birth",
	"ssn", "social security", "national id", "passport", "tax id", "iban", "bic", "card number", "credit card", "cvv", "account number", "license number",
	"street", "address", "address1", "address2", "ip", "gps",
	"password", "passwd", "pwd", "secret", "token", "api key", "hash salt", "pin code",
	"salary", "wage", "income", "religion", "ethnicity", "diagnosis",
}

// about are words that make of a person's datum something about it: the
// address_id is no address.
var about = map[string]bool{"id": true, "ids": true, "key": true, "count": true, "type": true, "kind": true, "status": true, "flag": true, "verified": true, "valid": true, "opt": true, "at": true, "on": true}

// personalName says which word of a column's name hints at a person, "" for
// none.
func personalName(column string) string {
	words := wordsOf(column)
	if len(words) == 0 {
		return ""
	}
	all := " " + strings.Join(words, " ") + " "
	last := words[len(words)-1]
	for _, name := range personalNames {
		if about[last] && !strings.HasSuffix(name, last) {
			continue
		}
		if strings.Contains(all, " "+name+" ") || strings.Contains(all, " "+name+"s ") {
			return name
		}
	}
	return ""
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
