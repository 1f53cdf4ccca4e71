# Prints the id of a child that ends and that nobody ever collects: the child waits until its parent
# has become a program that does not, since the shell itself might.
(while [ "$(cat /proc/$$/comm)" != cat ]; do :; done) &
echo $!
exec cat
