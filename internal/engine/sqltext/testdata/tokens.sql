### nested comment | pg
SELECT 1 /* a /* b */ c */ AS x -- tail
### no nesting | lite
SELECT 1 /* a /* b */ AS x
### nested, mysql | my
/* a /* b */ SELECT 1
### executable | my
SELECT /*!99999 1 */ 2 /*M! 3 */ /*+ x */
### open comment | lite
SELECT 1 /* a
### open text | lite
SELECT 'a''
### backslash | my
SELECT 'it\'s', "d\"q" -- x
### no backslash | pg
SELECT 'a\', 'b'
### e strings | pg
SELECT E'a\'b', e'\\', n'x', X'1F', b'01', U&'\0041'
### e string that goes on | pg
SELECT E'a' -- c
 'b\' ; DROP TABLE t --'
### unicode name | pg
SELECT U&"d\0061t\+000061" FROM t
### dollar quotes | pg
SELECT $tag$it's; --$tag$, $$x;y$$, a$b$c, $1
### dollar junk | pg
SELECT $1a
### open dollar quote | pg
SELECT $a$ x $b$
### dollar, mysql | my
SELECT $tag$ ; $tag$, a$b
### parameters | lite
SELECT ?, ?12, :a, @b, $c
### variables | my
SELECT @a, @@global.b, @'c'
### numbers | lite
SELECT 1, 1.5, .5, 1e5, 1.e-5, 0x1F, 1_000, 0b01, 0x, 0X1F, 0b2
### number junk | pg
SELECT 1INTO, 1.5e, 0x1F, 1_000, t.5
### operators | pg
SELECT a=-1, b<>-2, c->>'x', d @> e, f !~~* g, h||-1, i*-j, k::int
### operators, mysql | my
SELECT a<=>b, c:=1, d->>'$.x', 5--3, 5 -- 3
### operators, sqlite | lite
SELECT a==b, c||d, e<<1, f->>'x', g!=-1
### dash at the end | my
SELECT 1 --
### hash comment | my
SELECT 1 # x
### brackets | lite
SELECT [a b], `c``d`, "e""f"
### braces | my
SELECT {d '2020-01-01'}
### braces | duck
SELECT {'a': 1}, #1, MAP {}, x[1:2]
### odd spaces | pg
SELECT a b​c
### carriage return | pg
SELECT 1 -- xDROP
### carriage return, sqlite | lite
SELECT 1 -- xDROP
### backslash outside | my
SELECT \N
