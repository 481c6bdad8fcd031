Names that are not quoted mean the same in capitals and without (SQL:2016, part 2, section 5.2): the index compares them as written.

=== schema.sql
CREATE TABLE Employee (id INT);
SELECT * FROM EMPLOYEE; --@ read -> Employee exact
CREATE VIEW public.hired AS SELECT 1;
SELECT * FROM hired; --@ read -> public.hired
