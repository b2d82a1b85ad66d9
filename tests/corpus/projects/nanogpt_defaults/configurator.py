import sys
from ast import literal_eval

for arg in sys.argv[1:]:
    if '=' not in arg:
        exec(open(arg).read())
    else:
        key, val = arg[2:].split('=')
        globals()[key] = literal_eval(val) if val[0] in '0123456789TF-' else val
