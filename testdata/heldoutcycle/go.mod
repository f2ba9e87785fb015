module cycle.test

go 1.26
