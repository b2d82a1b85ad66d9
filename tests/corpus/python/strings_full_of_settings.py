"""Doc: batch_size = 1

    batch_size = 2
"""
HELP = 'batch_size = 3'
TEMPLATE = f"batch_size = {4}"
RAW = r"batch_size = 5 \d"
SQL = '''
batch_size = 6
'''
BYTES = b"batch_size = 7"
batch_size = 8  # batch_size = 9
JOINED = "a" "batch_size = 10"
ESCAPED = "\"batch_size = 11"
