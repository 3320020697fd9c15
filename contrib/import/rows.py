"""The rows of a CSV file, for the converters beside it."""

import csv
import gzip

GZIP = b"\x1f\x8b"

# A receipt may be longer than what `csv` takes by itself.
csv.field_size_limit(16 << 20)


def rows_of(path, needed, known=None):
    """Yields (line, {column: text without spaces around it}) for each row; what is missing is "".

    The file may be packed by gzip and may begin with a byte order mark; semicolons or commas part its
    columns. Ends the program with a sentence where a column of `needed` is missing, where there is one
    that is not `known`, or where the file is not such a table.
    """
    try:
        with open(path, "rb") as file:
            opened = gzip.open if file.read(2) == GZIP else open
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}")
    try:
        with opened(path, "rt", newline="", encoding="utf-8-sig") as file:
            header = file.readline().rstrip("\r\n")
            delimiter = ";" if ";" in header else ","
            columns = next(csv.reader([header], delimiter=delimiter), [])
            check(columns, needed, known)
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            for fields in reader:
                line = reader.line_num + 1
                if not fields:
                    continue
                if len(fields) != len(columns):
                    raise SystemExit(f"{path}:{line}: {len(fields)} fields, but {len(columns)} columns")
                yield line, {column: field.strip() for column, field in zip(columns, fields)}
    except (csv.Error, UnicodeDecodeError, EOFError) as error:
        raise SystemExit(f"{path}: not CSV in UTF-8: {error}")


def check(columns, needed, known):
    missing = [column for column in needed if column not in columns]
    if missing:
        raise SystemExit(f"columns that are missing: {', '.join(missing)}")
    unknown = [column for column in columns if known is not None and column not in known]
    if unknown:
        raise SystemExit(f"columns that are not known: {', '.join(unknown)}")
