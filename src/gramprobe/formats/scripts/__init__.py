"""Files that exports hand on as they are: code that runs beside an export, in the other program, without gramprobe."""
