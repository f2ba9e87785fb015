package main

import _ "github.com/sqbyl/sqbyl/driver/mysql"
